import type { RunningProgram } from '../../dev/stack/start-program';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { startPgBouncer } from '../support/servers/start-pgbouncer';
import { waitUntil } from '../support/wait-until';
import { newPerson } from './support/new-person';
import { startTestStack, type TestStack } from './support/test-stack';

let postgres: TestPostgres;
let pooler: RunningProgram;
let testStack: TestStack | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
  const direct = await postgres.createDatabase();
  pooler = await startPgBouncer(direct);
  testStack = await startTestStack({ env: { DATABASE_URL: pooler.address, DATABASE_DIRECT_URL: direct } });
}, 240_000);
afterAll(async () => {
  await testStack?.remove();
  await pooler.stop();
  await postgres.stop();
});

test('behind PgBouncer in transaction mode, a person is confirmed, and a list has the transaction', async () => {
  if (!testStack) throw new Error('The stack did not start.');
  const { api, inbox } = testStack;
  const person = newPerson();
  const path = await api.createTransaction(person.body);
  expect((await api.post(`${path}/sms/tokens`)).status).toBe(201);
  const value = await inbox.waitForCode(person.phone, 'sms');
  const response = await api.post(`${path}/sms/tokens/validate`, { body: { value } });
  expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
  // Events arrive by notifications of Postgres, which need the direct address.
  const id = path.split('/').at(-1) ?? '';
  await waitUntil(async () => (await api.get('/v1/transactions?status=Confirmed')).text.includes(id));
});
