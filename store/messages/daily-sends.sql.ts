import { deleteInBatches } from '../../platform/postgres/queries';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';

/** A limit for one tenant and one day. A message counts against several such limits. */
export interface DailyLimit {
  /** Name of the limit, as in SENDING_LIMITS. */
  name: 'messagesPerDay' | 'messagesPerCountryPerDay' | 'messagesPerPrefixPerDay' | 'spendPerDay';
  /** The country or phone prefix to which the limit applies. Empty if the limit applies to all messages of the tenant. */
  key: string;
  /** How much the message adds to the count: 1, or its price for `spendPerDay`. */
  amount: number;
  max: number;
}

// All statements lock rows in the same order, to avoid deadlocks.
const countSql = `
  insert into daily_sends (day, tenant, limit_name, key, used)
  select (now() at time zone 'utc')::date, $1, limit_name, key, amount
  from unnest($2::text[], $3::text[], $4::numeric[]) as wanted (limit_name, key, amount)
  order by limit_name, key
  on conflict (day, tenant, limit_name, key) do update set used = daily_sends.used + excluded.used
  returning limit_name as "name", key, used::float8 as used,
    ceil(extract(epoch from date_trunc('day', now(), 'utc') + interval '1 day' - now()))::int as "secondsLeft"`;

/** A daily limit is exceeded. It is thrown inside the database transaction, so that the new counts are undone. */
export class DailyLimitExceeded extends Error {
  override name = 'DailyLimitExceeded';

  constructor(
    readonly limit: DailyLimit['name'],
    /** Seconds until the next day. */
    readonly retryAfterSeconds: number,
  ) {
    super(`The limit ${limit} of the day is exceeded.`);
  }
}

/**
 * Counts a message against the daily limits of its tenant. If a limit is exceeded, throws DailyLimitExceeded, so that the database
 * transaction is rolled back.
 */
export async function countDailySend(client: PoolClient, tenant: string, limits: readonly DailyLimit[]): Promise<void> {
  if (limits.length === 0) return;
  const columns = [limits.map(({ name }) => name), limits.map(({ key }) => key), limits.map(({ amount }) => amount)];
  const { rows } = await client.query<{ name: string; key: string; used: number; secondsLeft: number }>(countSql, [
    tenant,
    ...columns,
  ]);
  for (const { name, key, used, secondsLeft } of rows) {
    const limit = limits.find((candidate) => candidate.name === name && candidate.key === key);
    if (limit && used > limit.max) throw new DailyLimitExceeded(limit.name, secondsLeft);
  }
}

/** Deletes the counts of all days before yesterday. */
export async function deleteOldDailySends(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'daily_sends', `day < (now() at time zone 'utc')::date - 1`);
}
