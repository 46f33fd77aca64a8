import { circleOfTenant, observationOf } from '../../../store/transactions/observed-values';
import { randomUUID } from 'node:crypto';
import type { Pool } from '../../../platform/postgres/postgres';
import { createRecord } from '../../../store/transactions/transactions.sql';
import { buildState, testKeys } from '../../support/build';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

test('a repeated create gives a record whose data key was lost no new key, because no key could open it again', async () => {
  const keys = {
    generate: async () => ({ key: Buffer.alloc(32), wrappedKey: { keyId: 'test', wrapped: Buffer.alloc(60) } }),
    remember: () => undefined,
  } as unknown as Parameters<typeof createRecord>[1];
  const state = { ...buildState(), id: randomUUID() };
  const create = () => createRecord(pool, keys, state, observationOf(testKeys, state, circleOfTenant(state.tenant)));
  const keyCount = async () =>
    (await pool.query('select from data_keys where tenant = $1 and owner = $2', [state.tenant, state.id])).rowCount;
  expect(await create()).toBe(true);
  expect(await create()).toBe(false);
  await pool.query('delete from data_keys where tenant = $1 and owner = $2', [state.tenant, state.id]);
  expect(await create()).toBe(false);
  expect(await keyCount()).toBe(0);
});
