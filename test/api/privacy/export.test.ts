import { hashDestination } from '../../../messages/codes';
import { TransactionKeys } from '../../../platform/keys/data-keys';
import { hashDocument } from '../../../store/transactions/observed-values';
import { buildState } from '../../support/build';
import { createWithState } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { ApiWorld } from '../api-world';

const document = { documentType: 'CPF', document: '11144477735' };
const phone = { countryCode: 55, areaCode: 11, number: 987654321 };
let postgres: TestPostgres;
let world: ApiWorld;

beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

test('an export does not show that the person opted out, because this may have happened at another tenant', async () => {
  const { pool, keys } = world.dependencies;
  const { id } = await world.createTransaction({ ...document, phone });
  await createWithState(
    pool,
    new TransactionKeys(pool, keys.serviceKeys),
    { ...buildState(), tenant: 'local', id },
    hashDocument(keys, 'local', document),
  );
  await pool.query("insert into opt_outs (destination, channel, at) values ($1, 'sms', '2026-02-03T04:05:06Z')", [
    hashDestination(keys, '+5511987654321'),
  ]);
  const { status, body } = await world.post('/v1/privacy/export', { body: document });
  expect([status, body]).toEqual([200, expect.objectContaining({ transactions: [expect.objectContaining({ id })] })]);
  expect(JSON.stringify(body)).not.toMatch(/opt_?outs?"|2026-02-03/i);
});
