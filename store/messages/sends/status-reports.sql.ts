import { inTransaction, type Pool, type PoolClient } from '../../../platform/postgres/postgres';
import { isUniqueViolation } from '../../../platform/postgres/tenant-pool';
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
  /** Whether the status means that the message was delivered. */
  isDelivered?: boolean;
  /** The statuses that this report does not replace. */
  sameOrLater: readonly string[];
  /** The messages whose transaction must be told of this status, each as `channel/kind`. */
  relevantTo: readonly string[];
  /** Whether the transaction was told. */
  isTold: boolean;
}

/** A send as it was before a report. */
export interface ReportedSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  channel: 'sms' | 'email' | 'whatsapp';
  kind: 'token' | 'secondFactor' | 'link' | 'biometricsResult';
  /** The saved status, in the words of the provider. Empty before the first report. */
  providerStatus: string;
  /** Whether the report was not saved, because the transaction must be told first. */
  mustBeTold: boolean;
  /** Whether the report was not saved, because another statement has locked the send. It can be repeated later. */
  isLocked: boolean;
}

// A report proves that the provider accepted the message. So even if an attempt to send it got no response, the message must not be sent
// again. Rows that are locked are skipped: an erasure can keep its locks for seconds, and the reports of other transactions must not wait for it.
const saveSql = `
  with report as (
    select * from jsonb_to_recordset($1::jsonb) as report ("sendId" text, "providerId" text, status text, code text,
      "isDelivered" boolean, "sameOrLater" jsonb, "relevantTo" jsonb, "isTold" boolean)),
  known as (
    select sends.send_id, sends.provider_id, sends.state, tenant, transaction_id, channel, kind,
      coalesce(provider_status, '') as provider_status, report."providerId" as reported_id, report.status, report.code, report."isDelivered" as is_delivered,
      not (report."sameOrLater" ? coalesce(provider_status, '')) as is_later,
      not report."isTold" and report."relevantTo" ? (channel || '/' || kind)
        and not (report."sameOrLater" ? coalesce(provider_status, '')) as must_be_told
    from sends join report on report."sendId" = send_id
    where not erased for update of sends skip locked),
  saved as (
    update sends set provider_id = coalesce(sends.provider_id, known.reported_id),
      state = case when sends.state in ('intent', 'dispatching') then 'accepted' else sends.state end,
      failure = case when sends.state in ('intent', 'dispatching') then null else sends.failure end,
      provider_status = case when is_later and not must_be_told then known.status else sends.provider_status end,
      provider_code = case when is_later and not must_be_told then coalesce(known.code, sends.provider_code) else sends.provider_code end,
      delivered_at = coalesce(sends.delivered_at, case when is_delivered then now() end)
    from known
    where sends.send_id = known.send_id
      and (is_later and not must_be_told or known.provider_id is null or known.state in ('intent', 'dispatching')))
  select send_id as "sendId", tenant, transaction_id as "transactionId", channel, kind,
    provider_status as "providerStatus", must_be_told as "mustBeTold", false as "isLocked"
  from known
  union all
  select send_id, tenant, transaction_id, channel, kind, coalesce(provider_status, ''), false, true
  from sends join report on report."sendId" = send_id
  where not erased and send_id not in (select send_id from known)`;

/**
 * Saves reports of different sends, in one statement. Keeps a saved status that is the same or later. A report of which the transaction must
 * be told is saved only with `isTold`: so whatever happens before, the next report of the provider finds that the transaction does not know
 * the status. Returns the sends; sends that are unknown or erased are left out. If another send has adopted one of the messages by mistake,
 * it loses the message.
 */
export async function saveStatusReports(pool: Pool, reports: readonly StatusReport[]): Promise<ReportedSend[]> {
  const save = async (database: Pool | PoolClient, some: readonly StatusReport[]) =>
    (await database.query<ReportedSend>(saveSql, [JSON.stringify(some)])).rows;
  try {
    return await save(pool, reports);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
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
