import { allTenants, currentQueueTenant } from './postgres/tenant-scope';

/** The work of one tenant in a queue. */
interface TenantWork {
  /** The functions that start the waiting work, the oldest first. */
  waiting: (() => void)[];
  running: number;
}

/** No slot was free within the time that the work may wait. */
export class QueueTimeoutError extends Error {
  override readonly name = 'QueueTimeoutError';
}

/** `tenant`: by default that of the current work (`asTenant`). `withinMs`: how long the work waits for its turn; by default, without a limit. */
interface TurnOptions {
  tenant?: string | undefined;
  withinMs?: number | undefined;
}

/**
 * A queue that all tenants share. The tenants whose work waits take turns, and a turn runs the oldest work of the tenant. So a tenant waits
 * only for one turn of each other tenant, however much work the other tenants have.
 */
export class FairQueue {
  /** The tenants with work that waits or runs. The order of the keys is the order of the turns. */
  readonly #tenants = new Map<string, TenantWork>();
  readonly #slots: number;
  readonly #slotsPerTenant: number;
  #free: number;

  /**
   * `slots`: how much work runs at the same time. `slotsPerTenant`: how much work of one tenant runs at the same time; by default, as much
   * as there are slots. With fewer, another tenant never waits for work of this tenant to end. Work of the service itself may
   * take all slots.
   */
  constructor({ slots, slotsPerTenant = slots }: { slots: number; slotsPerTenant?: number }) {
    this.#slots = slots;
    this.#free = slots;
    this.#slotsPerTenant = slotsPerTenant;
  }

  /** How much work waits for its turn. */
  get waiting(): number {
    return [...this.#tenants.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /**
   * Runs `work` when its turn comes, in the async context of this call. Returns the result of `work`, or throws its error. Throws
   * QueueTimeoutError, without running `work`, if its turn does not come in time.
   */
  async run<Result>(work: () => Promise<Result>, options: TurnOptions = {}): Promise<Result> {
    const giveBack = await this.take(options);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /**
   * Takes a slot when the turn comes. Returns the function that gives the slot back, which must be called once. With `restMs`, others get the
   * slot at once, but it counts for the tenant for so many milliseconds more. Throws QueueTimeoutError if the turn does not come in time.
   */
  take({ tenant = currentQueueTenant(), withinMs }: TurnOptions = {}): Promise<(restMs?: number) => void> {
    const tenantWork = this.#tenants.get(tenant) ?? { waiting: [], running: 0 };
    this.#tenants.set(tenant, tenantWork);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const start = () => {
        clearTimeout(timer);
        resolve((restMs = 0) => this.#end(tenant, tenantWork, restMs));
      };
      tenantWork.waiting.push(start);
      this.#startNext();
      if (withinMs === undefined || !tenantWork.waiting.includes(start)) return;
      timer = setTimeout(() => {
        tenantWork.waiting.splice(tenantWork.waiting.indexOf(start), 1);
        this.#forgetIfIdle(tenant, tenantWork);
        reject(new QueueTimeoutError('No slot was free in time.'));
      }, withinMs);
    });
  }

  #end(tenant: string, tenantWork: TenantWork, restMs: number): void {
    const rested = () => {
      tenantWork.running -= 1;
      this.#forgetIfIdle(tenant, tenantWork);
      this.#startNext();
    };
    this.#free += 1;
    if (restMs === 0) return rested();
    setTimeout(rested, restMs).unref();
    this.#startNext();
  }

  #forgetIfIdle(tenant: string, { running, waiting }: TenantWork): void {
    if (running + waiting.length === 0) this.#tenants.delete(tenant);
  }

  /** Starts the oldest work of the tenant whose turn it is, if there is a free slot. The tenant then moves to the end of the turns. */
  #startNext(): void {
    if (this.#free === 0) return;
    for (const [tenant, tenantWork] of this.#tenants) {
      const runningMax = tenant === allTenants ? this.#slots : this.#slotsPerTenant;
      if (tenantWork.waiting.length === 0 || tenantWork.running >= runningMax) continue;
      this.#tenants.delete(tenant);
      this.#tenants.set(tenant, tenantWork);
      this.#free -= 1;
      tenantWork.running += 1;
      tenantWork.waiting.shift()?.();
      return;
    }
  }
}

/** One limit of a place: the subject to which the place belongs, such as a tenant, and how many places the subject may have at most. */
export interface Share {
  subject: string;
  max: number;
}

/**
 * Counts places by subject, so that no subject takes more than its share. A place can belong to several subjects, such as a client, its
 * tenant and the whole process.
 */
export class Shares {
  readonly #counts = new Map<string, number>();

  /**
   * Takes a place if every share has room. Returns the function that gives the place back; more calls of this function do nothing. Returns
   * undefined if a share is used up; then nothing is counted.
   */
  take(shares: readonly Share[]): (() => void) | undefined {
    if (shares.some(({ subject, max }) => this.count(subject) >= max)) return undefined;
    for (const { subject } of shares) this.#add(subject, 1);
    let isTaken = true;
    return () => {
      if (isTaken) for (const { subject } of shares) this.#add(subject, -1);
      isTaken = false;
    };
  }

  /** How many places a subject has. */
  count(subject: string): number {
    return this.#counts.get(subject) ?? 0;
  }

  #add(subject: string, difference: number): void {
    const count = this.count(subject) + difference;
    if (count > 0) this.#counts.set(subject, count);
    else this.#counts.delete(subject);
  }
}
