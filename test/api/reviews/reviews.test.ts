import { problemShape } from '../api-world';
import { BiometricsWorld } from '../biometrics/biometrics-world';
import { reviewsResponse, reviewResponse } from '../../../api/reviews/reviews';
import { decisionResponse } from '../../../api/reviews/decide-review';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
beforeEach(() => world.api.transactions.states.clear());
afterAll(() => world.close());

const listReviews = async (query = '') => {
  const { body } = await world.api.request(`/v1/reviews${query}`);
  return reviewsResponse.parse(body);
};

test('GET /v1/reviews lists open reviews, oldest first, in pages', async () => {
  expect(await listReviews()).toEqual({ reviews: [] });
  const links: string[] = [];
  for (let n = 0; n < 3; n += 1) links.push((await world.submitAll()).linkId);
  await world.captureAll();
  const first = await listReviews('?limit=2');
  expect(first.reviews.map(({ id }) => id)).toEqual(links.slice(0, 2));
  const second = await listReviews(`?limit=2&after=${first.next}`);
  expect([second.reviews.map(({ id }) => id), second.next]).toEqual([links.slice(2), undefined]);
  const token = await world.api.issueToken('other');
  expect((await world.api.request('/v1/reviews', { token })).body).toEqual({ reviews: [] });
});

/** A query for the reviews after the position with these parts. */
const queryAfter = (...values: unknown[]) => `?after=${Buffer.from(JSON.stringify(values)).toString('base64url')}`;

const reviewId = '7c9e6679-7425-40de-944b-e07fc1f94200';

test.each([
  '?limit=0',
  '?limit=101',
  '?limit=x',
  '?limit=0x10',
  '?limit=1e1',
  '?limit=+5',
  '?after=x',
  '?after=W10',
  queryAfter('0000-01-01T00:00:00.000Z', reviewId),
  queryAfter('2026-01-01T00:00:00.000Z', '\u0000'),
  queryAfter(`2026-01-01T00:00:00.${'0'.repeat(5_000)}Z`, reviewId),
])('GET /v1/reviews rejects the query %s', async (query) => {
  expect((await world.api.request(`/v1/reviews${query}`)).body).toMatchObject(problemShape('validation_failed', 400));
});

test('GET /v1/reviews rejects an unknown parameter', async () => {
  expect((await world.api.request('/v1/reviews?page=2')).body).toMatchObject(problemShape('unknown_field', 400));
});

test('GET /v1/reviews/{id} returns the person, the findings and URLs that return the images', async () => {
  const { linkId, id } = await world.submitAll({ name: 'Maria S. Silva', birthdate: '1990-01-01' });
  const { status, headers, body } = await world.api.request(`/v1/reviews/${linkId}`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  const review = reviewResponse.parse(body);
  expect(review).toMatchObject({
    transactionId: id,
    status: 'Processing',
    person: { name: 'Maria Silva', document: '52998224725' },
    given: { name: 'Maria S. Silva', birthdate: '1990-01-01' },
    findings: [],
  });
  for (const url of Object.values(review.images)) expect((await fetch(world.onTestHost(url))).status).toBe(200);
  expect(Object.keys(review.images)).toHaveLength(3);
  expect(JSON.stringify(body)).not.toContain('imageId');
});

test('a decision is saved only once, with the client that sent it, and changes the score', async () => {
  const { linkId, path } = await world.submitAll();
  const decision = { status: 'Approved', reason: 'The face is that of the document.' };
  const { status, body } = await world.api.post(`/v1/reviews/${linkId}/decision`, { body: decision });
  expect(status).toBe(200);
  expect(decisionResponse.parse(body)).toMatchObject({ id: linkId, status: 'Approved' });
  const all = (await world.api.request(`${path}/all`)).body as { scores: { reason: string }[]; biometrics: object };
  expect(all.scores.map(({ reason }) => reason)).toEqual(['Initial', 'BiometricsChecked']);
  expect(all.biometrics).toMatchObject({ status: 'Approved' });
  const [state] = world.api.transactions.states.values();
  expect(state?.biometrics?.[0]?.decision).toMatchObject({ by: 'client-of-local', reason: decision.reason });
  const repeat = await world.api.post(`/v1/reviews/${linkId}/decision`, { body: { ...decision, status: 'Rejected' } });
  expect(repeat.body).toMatchObject(problemShape('not_in_review', 409));
  expect((await listReviews()).reviews).toEqual([]);
});

test('a decision and its reason stay readable after the images are erased', async () => {
  const { linkId, path } = await world.submitAll();
  const decision = { status: 'Rejected', reason: 'The face is another one.' };
  const readReview = async () => reviewResponse.parse((await world.api.request(`/v1/reviews/${linkId}`)).body);
  expect(await readReview()).not.toHaveProperty('decision');
  await world.api.post(`/v1/reviews/${linkId}/decision`, { body: decision });
  const savedDecision = { ...decision, by: 'client-of-local', at: expect.stringMatching(/Z$/) };
  expect(await readReview()).toMatchObject({ status: 'Rejected', decision: savedDecision });
  await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' });
  expect(await readReview()).toMatchObject({ decision: savedDecision, images: {}, captures: {} });
});

test('a retry of a decision returns the same response, also after an erasure', async () => {
  const { linkId, path } = await world.submitAll();
  const request = {
    body: { status: 'Approved', reason: 'The face is that of the document.' },
    headers: { 'idempotency-key': 'k-1' },
  };
  const decide = (options: object) => world.api.post(`/v1/reviews/${linkId}/decision`, options);
  const first = await decide(request);
  expect(first.status).toBe(200);
  await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' });
  expect(await decide(request)).toMatchObject({ status: 200, body: first.body });
  expect((await decide({ body: request.body })).body).toMatchObject(problemShape('not_in_review', 409));
});

test.each([
  [{ status: 'Approved' }, 'reason'],
  [{ status: 'Approved', reason: 'ok' }, 'reason'],
  [{ status: 'Processing', reason: 'because' }, 'status'],
  [{ status: 'Approved', reason: '     ' }, 'reason'],
  [{ status: 'Approved', reason: 'good \u202e face' }, 'reason'],
  [{ status: 'Approved', reason: '\u200b\u200b\u200b' }, 'reason'],
])('the decision %j is rejected and changes nothing', async (body, field) => {
  const { linkId } = await world.submitAll();
  const response = await world.api.post(`/v1/reviews/${linkId}/decision`, { body });
  expect(response.body).toMatchObject(problemShape('validation_failed', 400));
  expect((response.body as { errors: object }).errors).toHaveProperty(field);
  expect((await listReviews()).reviews).toHaveLength(1);
});

test('reviews need their scope, and are found only by their tenant', async () => {
  const { linkId } = await world.submitAll();
  const body = { status: 'Approved', reason: 'because' };
  const tokenWithoutScope = await world.api.issueToken('local', [
    'biometrics:link',
    'biometrics:images',
    'flows:write',
  ]);
  const otherTenantToken = await world.api.issueToken('other');
  for (const [path, method] of [
    ['/v1/reviews', 'GET'],
    [`/v1/reviews/${linkId}`, 'GET'],
    [`/v1/reviews/${linkId}/decision`, 'POST'],
  ] as const) {
    const options = { method, ...(method === 'POST' ? { body } : {}) };
    expect((await world.api.request(path, { ...options, token: tokenWithoutScope })).status).toBe(403);
    if (path !== '/v1/reviews')
      expect((await world.api.request(path, { ...options, token: otherTenantToken })).body).toMatchObject(
        problemShape('review_not_found', 404),
      );
  }
});

test('after the images of a review have expired, the decision can be Inconclusive, but not Approved', async () => {
  const { linkId, path } = await world.submitAll();
  await world.api.dependencies.images.eraseExpired(new Date(Date.now() + 91 * 86_400_000), {
    limit: 100,
    logger: world.api.dependencies.logger,
  });
  expect(reviewResponse.parse((await world.api.request(`/v1/reviews/${linkId}`)).body).images).toEqual({});
  const decide = (status: string) =>
    world.api.post(`/v1/reviews/${linkId}/decision`, { body: { status, reason: 'nobody looked in time' } });
  expect((await decide('Approved')).body).toMatchObject(problemShape('images_erased', 410));
  expect((await decide('Inconclusive')).status).toBe(200);
  expect((await world.api.post(`${path}/biometrics`)).status).toBe(201);
});

test.each(['%00', 'x', '..%2f', '00000000-0000-0000-0000-00000000000g'])(
  'a review with the id %s is not found',
  async (id) => {
    expect((await world.api.request(`/v1/reviews/${id}`)).body).toMatchObject(problemShape('review_not_found', 404));
  },
);

test('links that were not submitted, and links with erased images, cannot be reviewed', async () => {
  const body = { status: 'Approved', reason: 'because' };
  for (const { linkId } of [await world.createTransactionWithLink(), await world.captureAll()]) {
    expect((await world.api.request(`/v1/reviews/${linkId}`)).body).toMatchObject(
      problemShape('review_not_found', 404),
    );
    const response = await world.api.post(`/v1/reviews/${linkId}/decision`, { body });
    expect(response.body).toMatchObject(problemShape('review_not_found', 404));
  }
  const { linkId: erasedLinkId, path } = await world.submitAll();
  await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' });
  expect((await world.api.request(`/v1/reviews/${erasedLinkId}`)).body).toMatchObject(
    problemShape('images_erased', 410),
  );
  const response = await world.api.post(`/v1/reviews/${erasedLinkId}/decision`, { body });
  expect(response.body).toMatchObject(problemShape('not_in_review', 409));
});
