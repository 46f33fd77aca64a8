import { ApiWorld, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

/** `code`: an error code of Postgres or the operating system. */
const errorWithCode = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  ['a DNS outage', errorWithCode('EAI_AGAIN')],
  ['a serialization failure', errorWithCode('40001')],
  ['a deadlock', errorWithCode('40P01')],
  ['a read-only Postgres', errorWithCode('25006')],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
])('%s returns 503 with Retry-After', async (_, error) => {
  const { path } = await world.createTransaction();
  world.transactions.read = () => Promise.reject(error);
  const { status, body, headers } = await world.request(path);
  expect({ status, body }).toEqual({ status: 503, body: problemShape('service_unavailable', 503) });
  expect(headers.get('retry-after')).toBe('2');
});

test('an error that is not an outage returns 500', async () => {
  const { path } = await world.createTransaction();
  world.transactions.read = () => Promise.reject(errorWithCode('42P01'));
  expect((await world.request(path)).status).toBe(500);
});
