import { allResponse } from '../../../api/transactions/read-transaction';
import { transactionResponse } from '../../../api/transactions/transaction-response';
import { Problem } from '../../../api/http/problem';
import { newState } from '../../../domain/transactions/state';
import { toView } from '../../../domain/transactions/views';
import { ApiWorld, person, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

test('GET /v1/transaction/{id} returns the same body as POST /v1/transaction', async () => {
  const created = await world.post('/v1/transaction', { body: person });
  const { id } = created.body as { id: string };
  const response = await world.request(`/v1/transaction/${id}`);
  expect(response.status).toBe(200);
  expect(JSON.stringify(response.body)).toBe(JSON.stringify(created.body));
  expect(response.headers.get('x-countersign-source')).toBe('record');
  transactionResponse.parse(response.body);
});

test('the response to a HEAD request has no body', async () => {
  const { path } = await world.createTransaction();
  expect(await world.request(path, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
});

describe('GET /all', () => {
  test('GET /all has the transaction, scores, ratings and insights, and no token if none was requested', async () => {
    const { path } = await world.createTransaction();
    const { status, body } = await world.request(`${path}/all`);
    expect(status).toBe(200);
    const all = allResponse.parse(body);
    expect(Object.keys(body as object)).toEqual(['transaction', 'scores', 'ratings', 'insights']);
    // This field of SPEC is always empty.
    expect(all.transaction.complements).toEqual([]);
    expect(all.scores).toHaveLength(1);
  });

  test('GET /all has a requested SMS token, with its fields in the order of SPEC', async () => {
    const { path } = await world.createTransaction();
    await world.post(`${path}/sms/tokens`);
    const { body } = await world.request(`${path}/all`);
    expect(Object.keys(allResponse.parse(body).smsToken ?? {})).toEqual(['status', 'type', 'createdAt']);
  });

  test('GET /all waits for the first assessment, but at most 2 s', async () => {
    const { path, id } = await world.createTransaction();
    const assessedState = world.transactions.states.get(`local/${id}`);
    const { tenant, input, createdAt } =
      assessedState ?? newState({ tenant: '', id, input: { ...person }, createdAt: '' });
    const unassessedState = newState({ tenant, id, input, createdAt });
    // Each read takes 450 ms of this clock.
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const readMock = jest.spyOn(world.transactions, 'read').mockImplementation(async () => {
      now += 450;
      return { view: toView(unassessedState, createdAt), source: 'record' };
    });
    const { body } = await world.request(`${path}/all`);
    // After the fifth read, 2 s are over.
    expect(readMock).toHaveBeenCalledTimes(5);
    expect(body).toMatchObject({ scores: [] });
    readMock.mockRestore();
    clock.mockRestore();
  });
});

test('GET /v1/transaction/{id} returns 503 when Temporal and the record are both unavailable', async () => {
  const { path } = await world.createTransaction();
  world.transactions.nextErrors.push(new Problem('service_unavailable'));
  expect((await world.request(path)).body).toEqual(problemShape('service_unavailable', 503));
});

test('the body of a 500 contains no details of the error', async () => {
  const { path } = await world.createTransaction();
  const readMock = jest.spyOn(world.transactions, 'read').mockRejectedValue(new Error('an internal secret'));
  const response = await world.request(path);
  expect(response.body).toEqual(problemShape('internal_error', 500));
  expect(JSON.stringify(response.body)).not.toContain('secret');
  readMock.mockRestore();
});

test('the response to a read from the record has a header that names the record as the source', async () => {
  const { path, id } = await world.createTransaction();
  const state = world.transactions.states.get(`local/${id}`);
  const view = toView(
    state ?? newState({ tenant: '', id, input: { ...person }, createdAt: '' }),
    new Date().toISOString(),
  );
  const readMock = jest.spyOn(world.transactions, 'read').mockResolvedValue({ view, source: 'record' });
  for (const endpoint of ['', '/all', '/sms/2fa', '/whatsapps/2fa'])
    expect((await world.request(`${path}${endpoint}`)).headers.get('x-countersign-source')).toBe('record');
  readMock.mockRestore();
});
