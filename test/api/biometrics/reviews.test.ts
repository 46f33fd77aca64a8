import * as answers from '../../../api/schemas/biometrics-answers';
import { problemShape } from '../api-world';
import { BiometricsWorld } from './biometrics-world';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
beforeEach(() => world.api.transactions.states.clear());
afterAll(() => world.close());

const list = async (query = '') => {
  const { body } = await world.api.ask(`/v1/reviews${query}`);
  return answers.reviews.parse(body);
};

test('lists what awaits a decision, the longest waiting first, in pages', async () => {
  expect(await list()).toEqual({ reviews: [] });
  const links: string[] = [];
  for (let n = 0; n < 3; n += 1) links.push((await world.submitted()).linkId);
  await world.filled();
  const first = await list('?limit=2');
  expect(first.reviews.map(({ id }) => id)).toEqual(links.slice(0, 2));
  const second = await list(`?limit=2&after=${first.next}`);
  expect([second.reviews.map(({ id }) => id), second.next]).toEqual([links.slice(2), undefined]);
  const token = await world.api.tokenOf('other');
  expect((await world.api.ask('/v1/reviews', { token })).body).toEqual({ reviews: [] });
});

test.each(['?limit=0', '?limit=101', '?limit=x', '?after=x', '?after=W10'])('refuses %s', async (query) => {
  expect((await world.api.ask(`/v1/reviews${query}`)).body).toMatchObject(problemShape('validation_failed', 400));
});

test('refuses what it does not know', async () => {
  expect((await world.api.ask('/v1/reviews?page=2')).body).toMatchObject(problemShape('unknown_field', 400));
});

test('shows a review with the person, the measures and addresses that open the images', async () => {
  const { linkId, id } = await world.submitted({ name: 'Maria S. Silva', birthdate: '1990-01-01' });
  const { status, headers, body } = await world.api.ask(`/v1/reviews/${linkId}`);
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  const review = answers.review.parse(body);
  expect(review).toMatchObject({
    transactionId: id,
    status: 'Processing',
    person: { name: 'Maria Silva', document: '52998224725' },
    given: { name: 'Maria S. Silva', birthdate: '1990-01-01' },
    findings: [],
  });
  for (const url of Object.values(review.images)) expect((await fetch(world.here(url))).status).toBe(200);
  expect(Object.keys(review.images)).toHaveLength(3);
  expect(JSON.stringify(body)).not.toContain('imageId');
});

test('decides once, in the name of the client, with a score', async () => {
  const { linkId, path } = await world.submitted();
  const decision = { status: 'Approved', reason: 'The face is that of the document.' };
  const { status, body } = await world.api.post(`/v1/reviews/${linkId}/decision`, { body: decision });
  expect(status).toBe(200);
  expect(answers.decided.parse(body)).toMatchObject({ id: linkId, status: 'Approved' });
  const all = (await world.api.ask(`${path}/all`)).body as { scores: { reason: string }[]; biometrics: object };
  expect(all.scores.map(({ reason }) => reason)).toEqual(['Initial', 'BiometricsChecked']);
  expect(all.biometrics).toMatchObject({ status: 'Approved' });
  const [state] = world.api.transactions.states.values();
  expect(state?.biometrics?.[0]?.decision).toMatchObject({ by: 'client-of-local', reason: decision.reason });
  const again = await world.api.post(`/v1/reviews/${linkId}/decision`, { body: { ...decision, status: 'Rejected' } });
  expect(again.body).toMatchObject(problemShape('not_in_review', 409));
  expect((await list()).reviews).toEqual([]);
});

test.each([
  [{ status: 'Approved' }, 'reason'],
  [{ status: 'Approved', reason: 'ok' }, 'reason'],
  [{ status: 'Processing', reason: 'because' }, 'status'],
])('refuses the decision %j and changes nothing', async (body, field) => {
  const { linkId } = await world.submitted();
  const answer = await world.api.post(`/v1/reviews/${linkId}/decision`, { body });
  expect(answer.body).toMatchObject(problemShape('validation_failed', 400));
  expect((answer.body as { errors: object }).errors).toHaveProperty(field);
  expect((await list()).reviews).toHaveLength(1);
});

test('is for those with the scope, and of their own tenant', async () => {
  const { linkId } = await world.submitted();
  const body = { status: 'Approved', reason: 'because' };
  const without = await world.api.tokenOf('local', ['biometrics:link', 'biometrics:images', 'admin']);
  const other = await world.api.tokenOf('other');
  for (const [path, method] of [
    ['/v1/reviews', 'GET'],
    [`/v1/reviews/${linkId}`, 'GET'],
    [`/v1/reviews/${linkId}/decision`, 'POST'],
  ] as const) {
    const ask = { method, ...(method === 'POST' ? { body } : {}) };
    expect((await world.api.ask(path, { ...ask, token: without })).status).toBe(403);
    if (path !== '/v1/reviews')
      expect((await world.api.ask(path, { ...ask, token: other })).body).toMatchObject(
        problemShape('review_not_found', 404),
      );
  }
});

test('a link that was not handed in, or that was erased, cannot be reviewed', async () => {
  const { linkId } = await world.filled();
  expect((await world.api.ask(`/v1/reviews/${linkId}`)).status).toBe(404);
  const { linkId: erased, path } = await world.submitted();
  await world.api.ask(`${path}/biometrics/images`, { method: 'DELETE' });
  expect((await world.api.ask(`/v1/reviews/${erased}`)).body).toMatchObject(problemShape('images_erased', 410));
});
