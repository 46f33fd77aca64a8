import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool, PoolClient } from '../../platform/postgres';

/** How long a repeat gets the first response, as in the whole API. */
const retentionPeriod = '24 hours';

/**
 * A change of a flow with an idempotency key. `digest`: of the whole request, to detect another request with the same
 * key.
 */
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

/** Saves the key of a request. Returns whether it is new; a key that has expired is new again. */
export async function beginFlowRequest(client: PoolClient, { tenant, key, digest }: FlowRequest): Promise<boolean> {
  return (await client.query(beginSql, [tenant, key, digest])).rows.length > 0;
}

const findSql = 'select digest, answer from flow_requests where tenant = $1 and key = $2';

/** Finds the digest of the request with a key, and its response. `answer` is null until the response is saved. */
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

/** Deletes expired keys. */
export async function deleteOldFlowRequests(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'flow_requests', `at < now() - interval '${retentionPeriod}'`);
}
