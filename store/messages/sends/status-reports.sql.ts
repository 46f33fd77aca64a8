import type { Channel } from '../../../domain/confirmations/settings';
import type { EventType } from '../../../domain/events/event';
import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres/postgres';
import { isUniqueViolation } from '../../../platform/postgres/tenant-pool';
import {
  addReportedEventsSql,
  countEvents,
  eventsChannel,
  isLiveSql,
  lockLiveSql,
} from '../../transactions/transaction-events.sql';
import { addDeliveriesSql, announceDeliveriesSql } from '../../webhooks/webhook-deliveries.sql';
import { removeFromOtherSendSql } from './send-states.sql';

/** A provider reports the status of a message. The report is certain, because its address names the send. */
export interface StatusReport {
  sendId: string;
  /** The provider's id of the message. */
  providerId: string;
  /** The status, in the words of the provider. */
  status: string;
  /** The provider's error number. */
  code?: string;
  /** The statuses that this report does not replace. */
  sameOrLater: readonly string[];
  /** The messages whose transaction must be told of this status, each as `channel/kind`. */
  relevantTo: readonly string[];
  /** Whether the transaction was told. */
  isTold: boolean;
  /** The events that the report adds to the transaction of a code or question. Empty if it does not say that the message was delivered. */
  events: readonly EventType[];
}

/** A send as it was before a report. */
export interface ReportedSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  channel: Channel;
  kind: 'token' | 'secondFactor' | 'link' | 'biometricsResult';
  /** The saved status, in the words of the provider. Empty before the first report. */
  providerStatus: string;
  /** Whether the report was not saved, because the transaction must be told first. */
  mustBeTold: boolean;
  /** Whether the report was not saved, because another statement has locked the send or its transaction. It can be repeated later. */
  isLocked: boolean;
  /** The events that were added. */
  newEvents: EventType[] | null;
}

/** SQL: whether a report adds events to its transaction. */
const addsEventsSql = `is_later and not must_be_told and kind in ('token', 'secondFactor') and events <> '[]'`;

// A report proves that the provider accepted the message. So even if an attempt to send it got no response, the message must not be sent
// again. Rows that are locked are skipped: an erasure can keep its locks for seconds, and the reports of other transactions must not wait for it.
const saveSql = `
  with report as (
    select * from jsonb_to_recordset($1::jsonb) as report ("sendId" text, "providerId" text, status text, code text,
      "sameOrLater" jsonb, "relevantTo" jsonb, "isTold" boolean, events jsonb)),
  known as (
    select sends.send_id, sends.provider_id, sends.state, tenant, transaction_id, confirmation_or_link_id, settings_name, channel,
      kind, coalesce(provider_status, '') as provider_status, report."providerId" as reported_id, report.status, report.code,
      report.events, place.is_later,
      not report."isTold" and report."relevantTo" ? (channel || '/' || kind) and place.is_later as must_be_told
    from sends join report on report."sendId" = send_id
      cross join lateral (select not (report."sameOrLater" ? coalesce(provider_status, '')) as is_later) as place
    where not erased for update of sends skip locked),
  live as (${lockLiveSql(`select tenant, transaction_id from known where ${addsEventsSql}`)}),
  ready as (
    select * from known where not (${addsEventsSql})
      or exists (select from live where live.tenant = known.tenant and live.id = known.transaction_id)
      or not ${isLiveSql('known')}),
  saved as (
    update sends set provider_id = coalesce(sends.provider_id, ready.reported_id),
      state = case when sends.state in ('intent', 'dispatching') then 'accepted' else sends.state end,
      failure = case when sends.state in ('intent', 'dispatching') then null else sends.failure end,
      provider_status = case when is_later and not must_be_told then ready.status else sends.provider_status end,
      provider_code = case when is_later and not must_be_told then coalesce(ready.code, sends.provider_code) else sends.provider_code end,
      delivered_at = coalesce(sends.delivered_at, case when ready.events <> '[]' then now() end)
    from ready
    where sends.send_id = ready.send_id
      and (is_later and not must_be_told or ready.provider_id is null or ready.state in ('intent', 'dispatching'))),
  events as (${addReportedEventsSql(addsEventsSql)}), deliveries as (${addDeliveriesSql})
  select send_id as "sendId", tenant, transaction_id as "transactionId", channel, kind,
    provider_status as "providerStatus", must_be_told as "mustBeTold", false as "isLocked",
    (select json_agg(type) from events where events.tenant = ready.tenant and events.transaction_id = ready.transaction_id
      and events.key = events.type || '/' || ready.send_id) as "newEvents",
    (select count(pg_notify('${eventsChannel}', tenant || '/' || transaction_id)) from events), (${announceDeliveriesSql})
  from ready
  union all
  select send_id, tenant, transaction_id, channel, kind, coalesce(provider_status, ''), false, true, null, 0, 0
  from sends join report on report."sendId" = send_id
  where not erased and send_id not in (select send_id from ready)`;

/**
 * Saves reports of different sends, in one statement. Keeps a saved status that is the same or later. A report of which the transaction must
 * be told is saved only with `isTold`: so whatever happens before, the next report of the provider finds that the transaction does not know
 * the status. Adds `events` to the transaction. Returns the sends; sends that are unknown or erased are left out. If another send has adopted one of the messages by mistake,
 * it loses the message.
 */
export async function saveStatusReports(pool: Pool, reports: readonly StatusReport[]): Promise<ReportedSend[]> {
  const save = async (database: Pool | PoolClient, some: readonly StatusReport[]) => {
    const { rows } = await database.query<ReportedSend>(saveSql, [JSON.stringify(some)]);
    for (const { channel, kind, newEvents } of rows)
      countEvents((newEvents ?? []).map((type) => ({ type, channel, kind })));
    return rows;
  };
  try {
    return await save(pool, reports);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  // Another send has adopted one of the messages, or the record of a transaction was saved at the same time, with an event that has the
  // number of a new one.
  const sends: ReportedSend[] = [];
  for (const report of reports)
    sends.push(
      ...(await inTransaction(pool, async (client) => {
        await client.query(removeFromOtherSendSql, [report.sendId, report.providerId]);
        return save(client, [report]);
      })),
    );
  return sends;
}
