import { deleteInBatches } from '../../platform/postgres/queries';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** How long a repeat with the same idempotency key gets the first response. It is the same time in the whole API. */
const retentionPeriod = '24 hours';

/** A request with an idempotency key that changes a flow. `digest`: digest of the whole request. Another request has another digest. */
export interface FlowRequest {
  tenant: string;
  key: string;
  digest: string;
}

// A concurrent repeat waits here until the first request has succeeded or failed.
const beginSql = `
  insert into flow_requests as known (tenant, key, digest) values ($1, $2, $3)
  on conflict (tenant, key) do update set digest = excluded.digest, answer = null, at = now()
    where known.at < now() - interval '${retentionPeriod}'
  returning key`;

/** Saves the idempotency key of a request. Returns whether the key is new. A key that has expired is new again. */
export async function beginFlowRequest(client: PoolClient, { tenant, key, digest }: FlowRequest): Promise<boolean> {
  return (await client.query(beginSql, [tenant, key, digest])).rows.length > 0;
}

const findSql = 'select digest, answer from flow_requests where tenant = $1 and key = $2';

/** Finds the digest and the response of the request with an idempotency key. `answer` is null until the response is saved. */
export async function findFlowRequest(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
): Promise<{ digest: string; answer: unknown } | undefined> {
  return (await client.query<{ digest: string; answer: unknown }>(findSql, [tenant, key])).rows[0];
}

const answerSql = 'update flow_requests set answer = $3 where tenant = $1 and key = $2';

/** Saves the response for repeats, as plain JSON. */
export async function saveFlowAnswer(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
  answer: unknown,
): Promise<void> {
  await client.query(answerSql, [tenant, key, JSON.stringify(answer)]);
}

/** Deletes expired idempotency keys. */
export async function deleteOldFlowRequests(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'flow_requests', `at < now() - interval '${retentionPeriod}'`);
}
