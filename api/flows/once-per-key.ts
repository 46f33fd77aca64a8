import type { PoolClient } from '../../platform/postgres';
import { Problem } from '../problem';

/** How long a repeat gets the first answer, as with all that callers ask for. */
export const keptForHours = 24;

// Whoever comes second waits here until the first is done or has failed.
const beginSql = `
  insert into flow_requests as known (tenant, key, digest) values ($1, $2, $3)
  on conflict (tenant, key) do update set digest = excluded.digest, answer = null, at = now()
    where known.at < now() - interval '${keptForHours} hours'
  returning key`;
const knownSql = 'select digest, answer from flow_requests where tenant = $1 and key = $2';
const keepSql = 'update flow_requests set answer = $3 where tenant = $1 and key = $2';

/** A request that may come twice: `digest` tells whether it is the same. */
export interface Repeatable {
  tenant: string;
  key: string;
  digest: string;
}

/**
 * Does a piece of work once for each key of a tenant, in the transaction of `client`; a repeat gets the answer of the
 * first, which must be plain JSON. What throws keeps nothing. Throws idempotency_conflict when the key was used for
 * something else.
 */
export async function oncePerKey<Result>(
  client: PoolClient,
  { tenant, key, digest }: Repeatable,
  work: () => Promise<Result>,
): Promise<{ result: Result; replayed: boolean }> {
  const begun = (await client.query(beginSql, [tenant, key, digest])).rows.length > 0;
  if (!begun) {
    const { rows } = await client.query<{ digest: string; answer: Result }>(knownSql, [tenant, key]);
    const [known] = rows;
    if (known?.digest !== digest) throw new Problem('idempotency_conflict');
    return { result: known.answer, replayed: true };
  }
  const result = await work();
  await client.query(keepSql, [tenant, key, JSON.stringify(result)]);
  return { result, replayed: false };
}
