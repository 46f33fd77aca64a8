import { randomUUID } from 'node:crypto';
import type { TransactionState } from '../../../domain/transactions/state';
import { addSend } from '../../../domain/confirmations/send';
import { smsToken } from '../../../flows/confirmations';
import type { Pool } from '../../../platform/postgres/postgres';
import { claimDueTransactions } from '../../../store/transactions/list-transactions.sql';
import { saveState } from '../../../store/transactions/transactions.sql';
import { addMs, buildState, propose } from '../../support/build';
import { testTransactionKeys } from '../../support/test-data-converter';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const save = (state: TransactionState) => saveState(pool, testTransactionKeys, state, state.version - 1);

/** A saved transaction with a code that has expired `ms` ago. */
async function saveWithExpiredCode(ms: number): Promise<TransactionState> {
  const created = { ...buildState(), id: randomUUID(), version: 1, evidence: {} } as TransactionState;
  const requested = addSend(created, propose(smsToken, created.id), created.createdAt);
  if ('error' in requested) throw new Error(requested.error.type);
  const expiresAt = addMs(new Date().toISOString(), -ms);
  const confirmations = requested.state.confirmations.map((one) => ({
    ...one,
    expiresAt,
    sends: one.sends.map((send) => ({ ...send, state: 'accepted' as const })),
  }));
  const state = { ...requested.state, confirmations, changedAt: new Date().toISOString() };
  await save(state);
  return state;
}

const claim = { graceMs: 10_000, leaseMs: 60_000, limit: 10 };

test('only transactions that are due for the time of grace are claimed, once until their lease ends', async () => {
  const due = await saveWithExpiredCode(20_000);
  await saveWithExpiredCode(1_000);
  await saveWithExpiredCode(-600_000);
  const claims = await Promise.all(Array.from({ length: 5 }, () => claimDueTransactions(pool, claim)));
  expect(claims.flat()).toEqual([{ tenant: due.tenant, id: due.id, version: due.version }]);
  expect(await claimDueTransactions(pool, claim)).toEqual([]);
  // A negative time of grace looks into the future: the lease has ended.
  const later = await claimDueTransactions(pool, { ...claim, graceMs: -30_000 });
  expect(later.map(({ id }) => id)).not.toContain(due.id);
  const afterLease = await claimDueTransactions(pool, { ...claim, graceMs: -70_000 });
  expect(afterLease.map(({ id }) => id)).toContain(due.id);
});

test('a transaction whose record was saved meanwhile, or that was erased, is not claimed', async () => {
  const [changed, erased] = [await saveWithExpiredCode(20_000), await saveWithExpiredCode(20_000)];
  await save({
    ...changed,
    version: 2,
    confirmations: changed.confirmations.map((one) => ({ ...one, status: 'Expired' as const })),
  });
  await pool.query('update transactions set sealed = null, erased_at = now() where id = $1', [erased.id]);
  expect(await claimDueTransactions(pool, claim)).toEqual([]);
});
