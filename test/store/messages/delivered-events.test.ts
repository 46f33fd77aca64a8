import { addSend } from '../../../domain/confirmations/send';
import { applyDeliveryStatus } from '../../../domain/confirmations/delivery';
import { eventsOfStatus } from '../../../domain/events/event';
import type { TransactionState } from '../../../domain/transactions/state';
import { smsToken } from '../../../flows/confirmations';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres';
import {
  type ReportedSend,
  saveStatusReports,
  type StatusReport,
} from '../../../store/messages/sends/status-reports.sql';
import { eraseRecord } from '../../../store/transactions/erased-records.sql';
import { findEvents } from '../../../store/transactions/transaction-events.sql';
import { saveState } from '../../../store/transactions/transactions.sql';
import { addMs, buildState, propose } from '../../support/build';
import { testTransactionKeys } from '../../support/test-data-converter';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

/** A saved transaction with a sent code, and the row of its send. */
class Sent {
  private constructor(
    readonly state: TransactionState,
    readonly sendId: string,
  ) {}

  static async create(): Promise<Sent> {
    const created = buildState();
    const requested = addSend(created, propose(smsToken, created.id), addMs(created.createdAt, 1_000));
    if ('error' in requested) throw new Error(requested.error.type);
    const { confirmation, send } = requested;
    const sent = applyDeliveryStatus(requested.state, send.id, { status: 'accepted' }, addMs(created.createdAt, 2_000));
    const state = { ...(sent ?? requested.state), version: 1 };
    await saveState(pool, testTransactionKeys, state, 0);
    await pool.query(
      `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state, expires_at)
       values ($1, $2, $3, $4, 'sign-up/code', 'sms', 'token', $1, 'accepted', now() + interval '5 minutes')`,
      [send.id, state.tenant, state.id, confirmation.id],
    );
    return new Sent(state, send.id);
  }

  report(status: 'sent' | 'delivered' | 'read'): StatusReport {
    const places = ['sent', 'delivered', 'read'];
    return {
      ...{ sendId: this.sendId, providerId: `SM-${this.sendId}`, status, isTold: false, relevantTo: [] },
      sameOrLater: places.slice(places.indexOf(status)),
      events: eventsOfStatus(status),
    };
  }

  async events() {
    return (await findEvents(pool, this.state, { after: 0, limit: 100 })).events;
  }

  async types() {
    return (await this.events()).map(({ sequence, type }) => [sequence, type]);
  }
}

const save = (...reports: StatusReport[]): Promise<ReportedSend[]> => saveStatusReports(pool, reports);

test('a report that a code has arrived adds an event once, and reads add another', async () => {
  const sent = await Sent.create();
  await save(sent.report('sent'));
  await save(sent.report('delivered'));
  await save(sent.report('delivered'));
  await save(sent.report('read'));
  const events = await sent.events();
  expect(events.map(({ sequence, type }) => [sequence, type])).toEqual([
    [1, 'transaction.created'],
    [2, 'confirmation.sent'],
    [3, 'confirmation.delivered'],
    [4, 'confirmation.read'],
  ]);
  const confirmationId = sent.sendId.replace(/\.1$/, '');
  expect(events[2]).toMatchObject({
    status: 'Open',
    data: { confirmationId, name: 'sign-up/code', channel: 'sms', kind: 'token', sendId: sent.sendId },
  });
});

test('if the record is saved with the same event, it is not added again', async () => {
  const sent = await Sent.create();
  await save(sent.report('delivered'));
  const delivered = applyDeliveryStatus(
    sent.state,
    sent.sendId,
    { status: 'delivered' },
    addMs(sent.state.createdAt, 9_000),
  );
  await saveState(pool, testTransactionKeys, { ...(delivered ?? sent.state), version: 2 }, 1);
  expect((await sent.types()).at(-1)).toEqual([3, 'confirmation.delivered']);
});

test('reports of many transactions, and saves of their records at the same time, all get their numbers', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => Sent.create()));
  const saves = all.map(({ state }) =>
    saveState(
      pool,
      testTransactionKeys,
      { ...state, version: 2, attemptsUsed: 1, changedAt: addMs(state.createdAt, 9_000) },
      1,
    ),
  );
  const reports = save(...all.map((one) => one.report('delivered')));
  await Promise.all([...saves, reports]);
  // A report of a transaction whose record is being saved is not saved, and says so.
  const locked = (await reports).filter(({ isLocked }) => isLocked).map(({ sendId }) => sendId);
  await save(...all.filter(({ sendId }) => locked.includes(sendId)).map((one) => one.report('delivered')));
  for (const one of all) expect((await one.types()).at(-1)).toEqual([3, 'confirmation.delivered']);
});

test('while the record is locked, the report is not saved', async () => {
  const sent = await Sent.create();
  await inTransaction(pool, async (client) => {
    await client.query('select from transactions where id = $1 for no key update', [sent.state.id]);
    expect(await save(sent.report('delivered'))).toMatchObject([{ isLocked: true }]);
  });
  expect(await save(sent.report('delivered'))).toMatchObject([{ isLocked: false }]);
  expect((await sent.types()).at(-1)).toEqual([3, 'confirmation.delivered']);
});

test('an erased transaction gets no event, and its webhooks get none', async () => {
  const sent = await Sent.create();
  const erasing = inTransaction(pool, async (client) => {
    await eraseRecord(client, sent.state);
    expect(await save(sent.report('delivered'))).toMatchObject([{ isLocked: true }]);
  });
  await erasing;
  expect(await save(sent.report('delivered'))).toMatchObject([{ isLocked: false, newEvents: null }]);
  expect(await sent.types()).toEqual([]);
});

test('a webhook of the tenant gets the event', async () => {
  const sent = await Sent.create();
  const { tenant, id } = sent.state;
  await pool.query(
    `insert into webhooks (id, tenant, url, events, enabled) values ('00000000-0000-4000-8000-000000000001', $1, 'https://example.com', '{confirmation.*}', true)`,
    [tenant],
  );
  await save(sent.report('delivered'));
  const { rows } = await pool.query(
    'select webhook_id, sequence, type from webhook_deliveries where transaction_id = $1',
    [id],
  );
  expect(rows).toEqual([
    { webhook_id: '00000000-0000-4000-8000-000000000001', sequence: 3, type: 'confirmation.delivered' },
  ]);
});
