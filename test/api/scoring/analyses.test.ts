import { z } from 'zod';
import { cardAnalysis } from '../../../api/scoring/check-card';
import { explanation } from '../../../api/scoring/explain-scores';
import { insight, rating, score } from '../../../api/scoring/responses';
import { Problem } from '../../../api/http/problem';
import type { Evidence } from '../../../domain/scoring/evidence';
import { defaultPolicy } from '../../../domain/scoring/policy';
import { ApiWorld, person, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const card = { bin: '41111111', last4: '1111', ownerDocument: '52998224725' };
/** The transactions with this phone have eight different documents. */
const sharedPhoneLinks: Evidence['links'] = { pairs: [], countsByKind: { Phone: { documents: 8, denials: 0 } } };

const defaultEvidence: Evidence = {
  document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false },
};
/** Sets the evidence of all assessments from now on. */
const setEvidence = (change: Partial<Evidence>) => {
  world.transactions.assessment = { evidence: { ...defaultEvidence, ...change }, policy: defaultPolicy };
};
beforeEach(() => setEvidence({}));

const postPaths = ['insights', 'ratings', 'scores'];
const getPaths = ['card-check', 'scores', 'scores/explanation'];

describe('an analysis endpoint, for a valid request', () => {
  test('POST insights returns the findings, with the fields of SPEC', async () => {
    setEvidence({ document: { ...defaultEvidence.document, checkDigits: 'wrong' } });
    const { path } = await world.createTransaction();
    const { status, body } = await world.post(`${path}/insights`);
    expect(status).toBe(200);
    expect(
      z
        .array(insight)
        .parse(body)
        .map(({ code, relevance }) => [code, relevance]),
    ).toEqual([['DC001', 'Negativo']]);
    expect((await world.post(`${path}/insights`)).body).toEqual(body);
    setEvidence({});
    const { path: validPath } = await world.createTransaction();
    expect(await world.post(`${validPath}/insights`)).toMatchObject({ status: 200, body: [] });
  });

  test('a repeated POST ratings returns the same list', async () => {
    const { path } = await world.createTransaction();
    const first = await world.post(`${path}/ratings`);
    expect(first.status).toBe(200);
    expect(z.array(rating).parse(first.body).length).toBeGreaterThan(0);
    expect((await world.post(`${path}/ratings`)).body).toEqual(first.body);
  });

  test('GET scores and POST scores return all scores; POST first adds the new score if the score has changed', async () => {
    const { path } = await world.createTransaction();
    const first = await world.request(`${path}/scores`);
    expect(z.array(score).parse(first.body)).toMatchObject([{ reason: 'Initial' }]);
    expect(first.headers.get('x-countersign-source')).toBe('record');
    setEvidence({ links: sharedPhoneLinks });
    const response = await world.post(`${path}/scores`);
    expect(z.array(score).parse(response.body)).toMatchObject([{ reason: 'Initial' }, { reason: 'Reassessed' }]);
  });

  test('in GET scores/explanation, base, limit and points add up to the value', async () => {
    setEvidence({ links: sharedPhoneLinks, document: { ...defaultEvidence.document, checkDigits: 'wrong' } });
    const { path } = await world.createTransaction();
    const { status, body } = await world.request(`${path}/scores/explanation`);
    expect(status).toBe(200);
    const parsed = explanation.parse(body);
    expect(parsed.rules.filter(({ points }) => points !== 0).length).toBeGreaterThan(1);
    const sum = parsed.rules.reduce((total, { points }) => total + points, parsed.base + parsed.limit);
    expect(sum).toBeCloseTo(parsed.value, 6);
  });

  test('GET card-check returns a score, and only the insights about the card', async () => {
    setEvidence({
      card: { ownerDocumentMatches: false },
      document: { ...defaultEvidence.document, checkDigits: 'wrong' },
    });
    const { path } = await world.createTransaction({ ...person, card });
    const { status, body } = await world.request(`${path}/card-check`);
    expect(status).toBe(200);
    const parsed = cardAnalysis.parse(body);
    expect(parsed.insights.map(({ code }) => code)).toEqual(['CD001']);
    expect((await world.request(`${path}/card-check`)).body).toEqual(body);
  });

  test('GET card-check returns the last result from the record if no worker answers', async () => {
    const { path } = await world.createTransaction({ ...person, card });
    const { body } = await world.request(`${path}/card-check`);
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    const read = await world.request(`${path}/card-check`);
    expect(read).toMatchObject({ status: 200, body });
    expect(read.headers.get('x-countersign-source')).toBe('record');
  });

  test.each([
    ['pt-BR,pt;q=0.9', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['en-GB,en;q=0.8', 'en'],
    ['es-AR, en;q=0.5', 'es'],
    ['en;q=0.2, es;q=0.9', 'es'],
    ['fr', 'pt-BR'],
    ['*', 'pt-BR'],
    [undefined, 'pt-BR'],
  ])('Accept-Language %s gives Content-Language %s', async (acceptLanguage, language) => {
    const { path } = await world.createTransaction();
    // Without this header, fetch sends `Accept-Language: *`.
    const headers: Record<string, string> = acceptLanguage === undefined ? {} : { 'Accept-Language': acceptLanguage };
    const response = await world.post(`${path}/insights`, { headers });
    expect(response.headers.get('content-language')).toBe(language);
    expect(response.headers.get('vary')).toContain('Accept-Language');
  });

  test('only the texts of insights depend on the language', async () => {
    setEvidence({ links: sharedPhoneLinks });
    const { path } = await world.createTransaction();
    const inLanguage = async (language: string) =>
      z.array(insight).parse((await world.post(`${path}/insights`, { headers: { 'Accept-Language': language } })).body);
    const [portuguese, english] = [await inLanguage('pt-BR'), await inLanguage('en')];
    const withoutTexts = (insights: typeof english) => insights.map((one) => ({ ...one, description: '' }));
    expect(portuguese.length).toBeGreaterThan(0);
    expect(withoutTexts(portuguese)).toEqual(withoutTexts(english));
    expect(portuguese.map(({ description }) => description)).not.toEqual(english.map(({ description }) => description));
    const all = await world.request(`${path}/all`, { headers: { 'Accept-Language': 'en' } });
    expect(all.body).toMatchObject({ insights: english });
  });
});

test('every analysis endpoint returns 401 without an access token', async () => {
  const { path } = await world.createTransaction();
  for (const endpoint of postPaths)
    expect(await world.post(`${path}/${endpoint}`, { token: null })).toMatchObject({ status: 401 });
  for (const endpoint of getPaths)
    expect(await world.request(`${path}/${endpoint}`, { token: null })).toMatchObject({ status: 401 });
});

test('an analysis endpoint returns 403 without its scope', async () => {
  const { path } = await world.createTransaction();
  const readerToken = await world.issueToken('local', ['transaction:read']);
  for (const endpoint of postPaths)
    expect(await world.post(`${path}/${endpoint}`, { token: readerToken })).toMatchObject({ status: 403 });
  expect(await world.request(`${path}/card-check`, { token: readerToken })).toMatchObject({ status: 403 });
  expect(await world.request(`${path}/scores`, { token: readerToken })).toMatchObject({ status: 200 });
  const analysisToken = await world.issueToken('local', ['analysis:run']);
  expect(await world.request(`${path}/scores`, { token: analysisToken })).toMatchObject({ status: 403 });
  expect(await world.post(`${path}/scores`, { token: analysisToken })).toMatchObject({ status: 200 });
});

test('every analysis endpoint returns 404 for an unknown transaction', async () => {
  const path = '/v1/transaction/0193c5e2-0000-7000-8000-000000000000';
  for (const endpoint of postPaths)
    expect(await world.post(`${path}/${endpoint}`)).toMatchObject({
      status: 404,
      body: { code: 'transaction_not_found' },
    });
  for (const endpoint of getPaths)
    expect(await world.request(`${path}/${endpoint}`)).toMatchObject({
      status: 404,
      body: { code: 'transaction_not_found' },
    });
});

test('a card check without a card returns 422', async () => {
  const { path } = await world.createTransaction();
  const { status, body } = await world.request(`${path}/card-check`);
  expect([status, body]).toEqual([422, problemShape('card_missing', 422)]);
});

test('a card check of an empty card returns 422', async () => {
  const { path } = await world.createTransaction({ ...person, card: {} });
  expect(await world.request(`${path}/card-check`)).toMatchObject({ status: 422, body: { code: 'card_missing' } });
});

test('POST rejects an invalid Idempotency-Key, and GET ignores it', async () => {
  const { path } = await world.createTransaction({ ...person, card });
  const headers = { 'Idempotency-Key': 'no key' };
  expect(await world.post(`${path}/insights`, { headers })).toMatchObject({
    status: 400,
    body: { code: 'idempotency_key_invalid' },
  });
  expect((await world.request(`${path}/card-check`, { headers })).status).toBe(200);
});

test('an internal error of an analysis returns 500, and the transaction does not change', async () => {
  const { path } = await world.createTransaction();
  const before = (await world.request(`${path}/all`)).body;
  for (const endpoint of postPaths) {
    world.transactions.nextErrors.push('AnalysisFailed');
    expect(await world.post(`${path}/${endpoint}`)).toMatchObject({ status: 500, body: { code: 'analysis_failed' } });
  }
  expect((await world.request(`${path}/all`)).body).toEqual(before);
  expect(await world.post(`${path}/sms/tokens`)).toMatchObject({ status: 201 });
});

test('POST of an analysis returns 503 if no worker answers', async () => {
  const { path } = await world.createTransaction();
  for (const endpoint of postPaths) {
    world.transactions.nextErrors.push(new Problem('service_unavailable'));
    const { status, headers } = await world.post(`${path}/${endpoint}`);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
  }
});

test('GET scores/explanation returns 503 for a transaction that is not assessed yet', async () => {
  const { path, id } = await world.createTransaction();
  const state = world.transactions.states.get(`local/${id}`);
  if (!state) throw new Error('The transaction does not exist.');
  const { evidence: _, ...unassessed } = state;
  world.transactions.states.set(`local/${id}`, { ...unassessed, scores: [], ratings: [], findings: [] });
  expect(await world.request(`${path}/scores/explanation`)).toMatchObject({
    status: 503,
    body: { code: 'not_assessed_yet' },
  });
});
