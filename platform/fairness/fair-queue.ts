import { currentScope } from '../tenant-scope';

/** The work of one tenant in a queue. */
interface TenantWork {
  /** The functions that start the waiting work, the oldest first. */
  waiting: (() => void)[];
  running: number;
}

/**
 * A queue that all tenants share. The tenants whose work waits take turns, and a turn runs the oldest work of the tenant. So a tenant waits
 * only for one turn of each other tenant, however much work the other tenants have.
 */
export class FairQueue {
  /** The tenants with work that waits or runs. The order of the keys is the order of the turns. */
  readonly #tenants = new Map<string, TenantWork>();
  readonly #slotsPerTenant: number;
  #free: number;

  /**
   * `slots`: how much work runs at the same time. `slotsPerTenant`: how much work of one tenant runs at the same time; by default, as much
   * as there are slots. With fewer, another tenant never waits for work of this tenant to end.
   */
  constructor({ slots, slotsPerTenant = slots }: { slots: number; slotsPerTenant?: number }) {
    this.#free = slots;
    this.#slotsPerTenant = slotsPerTenant;
  }

  /**
   * Runs `work` when its turn comes, in the async context of this call. By default, the tenant is the current scope (`asTenant`). Returns
   * the result of `work`, or throws its error.
   */
  async run<Result>(work: () => Promise<Result>, tenant = currentScope()): Promise<Result> {
    const tenantWork = this.#tenants.get(tenant) ?? { waiting: [], running: 0 };
    this.#tenants.set(tenant, tenantWork);
    await new Promise<void>((start) => {
      tenantWork.waiting.push(start);
      this.#startNext();
    });
    try {
      return await work();
    } finally {
      this.#free += 1;
      tenantWork.running -= 1;
      if (tenantWork.running + tenantWork.waiting.length === 0) this.#tenants.delete(tenant);
      this.#startNext();
    }
  }

  /** Starts the oldest work of the tenant whose turn it is, if there is a free slot. The tenant then moves to the end of the turns. */
  #startNext(): void {
    if (this.#free === 0) return;
    for (const [tenant, tenantWork] of this.#tenants) {
      if (tenantWork.waiting.length === 0 || tenantWork.running >= this.#slotsPerTenant) continue;
      this.#tenants.delete(tenant);
      this.#tenants.set(tenant, tenantWork);
      this.#free -= 1;
      tenantWork.running += 1;
      tenantWork.waiting.shift()?.();
      return;
    }
  }
}
