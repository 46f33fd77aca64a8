import { currentScope } from '../tenant-scope';

/**
 * A queue that all tenants share. The tenants whose work waits take turns, and a turn runs the oldest work of the tenant. So a tenant waits
 * only for one turn of each other tenant, however much work the other tenants have.
 */
export class FairQueue {
  /** The waiting work by tenant. The order of the keys is the order of the turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #free: number;

  /** `slots`: how much work runs at the same time. */
  constructor({ slots }: { slots: number }) {
    this.#free = slots;
  }

  /**
   * Runs `work` when its turn comes, in the async context of this call. The tenant is the current scope (`asTenant`). Returns the result of
   * `work`, or throws its error.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#acquire(currentScope());
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #acquire(tenant: string): Promise<void> | void {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const waiting = this.#waiting.get(tenant) ?? [];
    this.#waiting.set(tenant, waiting);
    return new Promise((resolve) => waiting.push(resolve));
  }

  #release(): void {
    const [turn] = this.#waiting;
    if (!turn) {
      this.#free += 1;
      return;
    }
    const [tenant, [next, ...others]] = turn;
    this.#waiting.delete(tenant);
    // The tenant moves to the end of the turns.
    if (others.length > 0) this.#waiting.set(tenant, others);
    next?.();
  }
}
