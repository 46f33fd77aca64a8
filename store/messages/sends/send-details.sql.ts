import type { Pool } from '../../../platform/postgres/postgres';

/** What a provider reported about a message. */
export interface SendDetails {
  providerId: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  /** Why the message was never sent, as an error type. */
  failure: string | null;
}

const detailsSql = `
  select send_id as "sendId", provider_id as "providerId", provider_status as "providerStatus",
    provider_code as "providerCode", case when state = 'failed' then failure end as failure
  from sends where tenant = $1 and transaction_id = $2`;

/** What the providers reported about the messages of a transaction, by send id. */
export async function findSendDetails(
  pool: Pool,
  tenant: string,
  transactionId: string,
): Promise<ReadonlyMap<string, SendDetails>> {
  const { rows } = await pool.query<SendDetails & { sendId: string }>(detailsSql, [tenant, transactionId]);
  return new Map(rows.map(({ sendId, ...details }) => [sendId, details]));
}
