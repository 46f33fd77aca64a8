import { deleteInBatches } from '../../platform/postgres/queries';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';
import { findDataKey, findOrCreateDataKey } from '../../platform/keys/data-keys';
import { deleteDayKeys } from '../../platform/keys/data-keys.sql';
import type { ServiceKeys } from '../../platform/keys/service-keys';
import { asService } from '../../platform/postgres/tenant-scope';
import { type DayKeys, findOldestOpenDay } from './provider-events.sql';

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

/**
 * The day keys are saved under this name instead of a tenant. When a reply or a delivery status arrives, the service does not know its
 * tenant yet. No real tenant has this name.
 */
const tenant = '*';

const dayMs = 86_400_000;

/** How many days a day key is kept at least. A reply or a delivery status is normally processed or closed within a day. */
const keptDays = 2;

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/**
 * The day keys. They encrypt waiting replies and delivery statuses. The key of a day is destroyed after two days, so that nobody can read
 * copies of deleted rows, such as in a backup. But if replies or delivery statuses of this day still wait, for example after an outage, the
 * key stays until they are processed or closed.
 */
export class PostgresDayKeys implements DayKeys {
  readonly #keys = new Map<string, Buffer>();

  constructor(
    private readonly pool: Pool,
    private readonly serviceKeys: ServiceKeys,
  ) {}

  async current(): Promise<{ day: string; key: Buffer }> {
    const day = dayOf(Date.now());
    return { day, key: await this.#get(day, findOrCreateDataKey) };
  }

  find(day: string): Promise<Buffer | undefined> {
    return this.#get(day, findDataKey);
  }

  async #get<Key extends Buffer | undefined>(
    day: string,
    read: (...values: Parameters<typeof findDataKey>) => Promise<Key>,
  ): Promise<Buffer | Key> {
    const known = this.#keys.get(day);
    if (known) return known;
    const key = await asService(() => read(this.pool, this.serviceKeys, { tenant, owner: day }, 'providerEvents'));
    if (key) this.#keys.set(day, key);
    return key;
  }

  /**
   * Destroys keys that are older than two days. But if a reply or delivery status still waits, keeps the key of its day and the keys of all
   * later days.
   */
  async deleteOld(): Promise<void> {
    const pastDay = dayOf(Date.now() - keptDays * dayMs);
    const openDay = (await findOldestOpenDay(this.pool)) ?? pastDay;
    const oldestKept = openDay < pastDay ? openDay : pastDay;
    for (const day of this.#keys.keys()) if (day < oldestKept) this.#keys.delete(day);
    await deleteDayKeys(this.pool, tenant, 'providerEvents', oldestKept);
  }
}
