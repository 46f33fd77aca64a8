import type { Pool } from '../../platform/postgres/postgres';
import { findDataKey, findOrCreateDataKey } from '../../platform/keys/data-keys';
import { deleteDayKeys } from '../../platform/keys/data-keys.sql';
import type { ServiceKeys } from '../../platform/keys/service-keys';
import { asService } from '../../platform/postgres/tenant-scope';
import { type DayKeys, findOldestOpenDay } from './provider-events.sql';

/**
 * The day keys are saved under this name instead of a tenant. When a reply or a delivery status arrives, the service does not know its
 * tenant yet. No real tenant has this name.
 */
const tenant = '*';

const dayMs = 86_400_000;

/** How many days a day key is kept at least. A reply or a delivery status is normally processed or closed within a day. */
const keptDays = 2;

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

const oldestKeptDay = (): string => dayOf(Date.now() - keptDays * dayMs);

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
    // A key that may have been destroyed in Postgres must not stay in memory.
    for (const known of this.#keys.keys()) if (known < oldestKeptDay()) this.#keys.delete(known);
    const known = this.#keys.get(day);
    if (known) return known;
    const key = await asService(() => read(this.pool, this.serviceKeys, { tenant, owner: day }, 'providerEvents'));
    if (key && day >= oldestKeptDay()) this.#keys.set(day, key);
    return key;
  }

  /**
   * Destroys keys that are older than two days. But if a reply or delivery status still waits, keeps the key of its day and the keys of all
   * later days.
   */
  async deleteOld(): Promise<void> {
    const pastDay = oldestKeptDay();
    const openDay = (await findOldestOpenDay(this.pool)) ?? pastDay;
    const oldestKept = openDay < pastDay ? openDay : pastDay;
    await deleteDayKeys(this.pool, tenant, 'providerEvents', oldestKept);
  }
}
