import { deleteInBatches } from '../../platform/delete-in-batches';
import type { Pool, PoolClient } from '../../platform/postgres';

/** How long a repeat gets the first answer, as with all that callers ask for. */
const keptFor = '24 hours';

/** A change of a flow that may come twice: `digest` tells whether it is the same. */
export interface FlowRequest {
  tenant: string;
  key: string;
  digest: string;
}

// Whoever comes second waits here until the first is done or has failed.
const beginSql = `
  insert into flow_requests as known (tenant, key, digest) values ($1, $2, $3)
  on conflict (tenant, key) do update set digest = excluded.digest, answer = null, at = now()
    where known.at < now() - interval '${keptFor}'
  returning key`;

/** Whether a key of a tenant is used for the first time. */
export async function beginFlowRequest(client: PoolClient, { tenant, key, digest }: FlowRequest): Promise<boolean> {
  return (await client.query(beginSql, [tenant, key, digest])).rows.length > 0;
}

const findSql = 'select digest, answer from flow_requests where tenant = $1 and key = $2';

/** What a key was used for, and the answer. */
export async function findFlowRequest(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
): Promise<{ digest: string; answer: unknown } | undefined> {
  return (await client.query<{ digest: string; answer: unknown }>(findSql, [tenant, key])).rows[0];
}

const answerSql = 'update flow_requests set answer = $3 where tenant = $1 and key = $2';

/** Saves the answer for repeats: plain JSON. */
export async function saveFlowAnswer(
  client: PoolClient,
  { tenant, key }: Pick<FlowRequest, 'tenant' | 'key'>,
  answer: unknown,
): Promise<void> {
  await client.query(answerSql, [tenant, key, JSON.stringify(answer)]);
}

/** Deletes the keys whose repeats are new requests. */
export async function deleteOldFlowRequests(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'flow_requests', `at < now() - interval '${keptFor}'`);
}
