import { findOrCreateDataKey } from '../../platform/keys/data-keys';
import { deleteDayKeys } from '../../platform/keys/data-keys.sql';
import type { MasterKeys } from '../../platform/keys/master-keys';
import type { Pool } from '../../platform/postgres';
import { asService } from '../../platform/tenant-scope';

/** Not a valid tenant name: events arrive before their tenant is known. */
const tenant = '*';

const dayMs = 86_400_000;

/** An event is processed or closed within a day. */
const keptDays = 2;

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * The keys that encrypt what persons wrote, until it is processed: one per day. The key of a day is destroyed after two days, so that
 * nobody can read what is left of deleted rows, such as in a backup.
 */
export class EventKeys {
  readonly #keys = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly pool: Pool,
    private readonly masterKeys: MasterKeys,
  ) {}

  /** The key of a day such as 2026-03-01, created if there is none. */
  get(day: string): Promise<Buffer> {
    const known = this.#keys.get(day);
    if (known) return known;
    const owner = { tenant, owner: day };
    const key = asService(() => findOrCreateDataKey(this.pool, this.masterKeys, owner, 'providerEvents'));
    this.#keys.set(day, key);
    // After an outage, the next event asks again.
    key.catch(() => this.#keys.delete(day));
    return key;
  }

  /** Destroys the keys of days whose events are all closed. */
  async deleteOld(): Promise<void> {
    const oldestKept = dayOf(new Date(Date.now() - keptDays * dayMs));
    for (const day of this.#keys.keys()) if (day < oldestKept) this.#keys.delete(day);
    await deleteDayKeys(this.pool, tenant, 'providerEvents', oldestKept);
  }
}
