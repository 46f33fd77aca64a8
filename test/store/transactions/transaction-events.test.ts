import { randomUUID } from 'node:crypto';
import { eventsOf } from '../../../domain/events/events-of';
import { withAssessment } from '../../../domain/transactions/outcome';
import { addSend, revertSend } from '../../../domain/confirmations/send';
import { withScore } from '../../../domain/scoring/assess';
import { defaultPolicy } from '../../../domain/scoring/policy';
import type { TransactionState } from '../../../domain/transactions/state';
import { applyDeliveryStatus } from '../../../domain/confirmations/delivery';
import { smsToken } from '../../../flows/confirmations';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import { eraseRecord } from '../../../store/transactions/erased-records.sql';
import { findEvents } from '../../../store/transactions/transaction-events.sql';
import { saveState } from '../../../store/transactions/transactions.sql';
import { addMs, buildState, propose } from '../../support/build';
import { evidenceWith } from '../../domain/scoring/build-basis';
import { useTestPool } from '../../support/test-pool';
import { testTransactionKeys } from '../../support/test-data-converter';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

/** Continues from the previous version, unless `savedVersion` names another one. */
const save = (state: TransactionState, savedVersion = state.version - 1) =>
  saveState(pool, testTransactionKeys, state, savedVersion);

const readEvents = async (state: TransactionState, after = 0) =>
  (await findEvents(pool, state, { after, limit: 100 })).events;

/** Four states of one transaction: new, after the request for a code, after the code was sent, and after it was delivered. */
function states(): TransactionState[] {
  const created = { ...buildState(), version: 1 };
  const requested = addSend(created, propose(smsToken, created.id), addMs(created.createdAt, 1_000));
  if ('error' in requested) throw new Error(requested.error.type);
  const sendId = requested.send.id;
  const deliver = (state: TransactionState, status: 'accepted' | 'delivered', ms: number) =>
    applyDeliveryStatus(state, sendId, { status }, addMs(created.createdAt, ms)) ?? state;
  const sent = deliver(requested.state, 'accepted', 2_000);
  return [created, requested.state, sent, deliver(sent, 'delivered', 3_000)].map((state, index) => ({
    ...state,
    version: index + 1,
    changedAt: addMs(created.createdAt, index * 1_000),
  }));
}

test('each save adds only new events, and their numbers have no gaps', async () => {
  const [created = buildState(), requested = created, sent = created, delivered = created] = states();
  for (const state of [created, requested, sent, sent, delivered, delivered]) await save(state);
  const events = await readEvents(created);
  expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'transaction.created'],
    [2, 'confirmation.sent'],
    [3, 'confirmation.delivered'],
  ]);
  expect(events[2]).toMatchObject({ at: new Date(delivered.changedAt), status: 'Open', data: { name: 'sms-token' } });
  expect((await readEvents(created, 2)).map(({ sequence }) => sequence)).toEqual([3]);
});

test('if a worker dies after its save, the change of the next worker adds no second event', async () => {
  const [created = buildState()] = states();
  const assessed = withAssessment(created, { evidence: evidenceWith(), policy: defaultPolicy });
  const requested = addSend(assessed, propose(smsToken, created.id), addMs(created.createdAt, 1_000));
  if ('error' in requested) throw new Error(requested.error.type);
  const rejectedAt = (ms: number, version: number): TransactionState => {
    const at = addMs(created.createdAt, ms);
    const rejected = revertSend(requested.state, requested.send.id, 'DestinationRefused 21211', at);
    const denied = withScore({ ...rejected, facts: { deniedAt: at } }, 'Denied', at);
    return { ...denied, version, changedAt: at };
  };
  await save(rejectedAt(2_000, 2));
  expect(await save(rejectedAt(3_000, 2))).toMatchObject({ saved: false, newerRecord: { version: 2 } });
  await save(rejectedAt(3_000, 3));
  expect((await readEvents(created)).map(({ type }) => type)).toEqual([
    'transaction.created',
    'score.changed',
    'confirmation.rejected',
    'score.changed',
  ]);
});

test('a save that is rejected adds no events', async () => {
  const [created = buildState(), , sent = created] = states();
  await save(sent);
  expect(await save(created)).toMatchObject({ saved: false });
  expect(await readEvents(created)).toHaveLength(eventsOf(sent).length);
});

test('saves at the same time never give two events the same number', async () => {
  const all = states();
  const results = await Promise.allSettled(all.map((state) => save(state)));
  for (const [index, result] of results.entries())
    if (result.status === 'rejected') await save(all[index] ?? buildState());
  const sequences = (await readEvents(all[0] ?? buildState())).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  expect(sequences.length).toBeGreaterThanOrEqual(3);
});

test('an erasure deletes the events, and an unknown transaction has none', async () => {
  const [, , , delivered = buildState()] = states();
  await save(delivered);
  await inTransaction(pool, (client) => eraseRecord(client, delivered));
  const { rows } = await pool.query('select from transaction_events where transaction_id = $1', [delivered.id]);
  expect(rows).toHaveLength(0);
  expect(await findEvents(pool, delivered, { after: 0, limit: 1 })).toMatchObject({ isErased: true, isSaved: true });
  const unknown = { tenant: 'local', id: randomUUID() };
  expect(await findEvents(pool, unknown, { after: 0, limit: 1 })).toEqual({
    events: [],
    isErased: false,
    isSaved: false,
  });
});
