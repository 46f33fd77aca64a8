import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { Problem } from '../http/problem';
import { deadlines } from './deadline';

/**
 * Commands of one transaction that this process sends at the same time: one may wait for a provider while another passes it.
 * Temporal accepts 10 updates at a time per workflow, so five API processes never exceed its limit. With more processes, some
 * commands of a burst on one transaction get service_unavailable.
 */
const perTransaction = 2;

/** With more, a caller is in a loop or attacks, and waiting would only fill memory. */
const waitingMax = 500;

interface Slots {
  semaphore: ReturnType<typeof withTimeout>;
  users: number;
}

/** A semaphore per transaction: a few commands at a time, others wait in order. Throws service_unavailable. */
export class CommandSlots {
  readonly #slots = new Map<string, Slots>();

  /** Waits for a slot of a transaction. Resolves to the function that releases it. */
  async acquire(workflowId: string): Promise<() => void> {
    const slots = this.#slots.get(workflowId) ?? {
      semaphore: withTimeout(new Semaphore(perTransaction), deadlines.slotMs),
      users: 0,
    };
    if (slots.users >= perTransaction + waitingMax) throw new Problem('service_unavailable');
    this.#slots.set(workflowId, slots);
    slots.users += 1;
    const leave = () => {
      slots.users -= 1;
      if (slots.users === 0) this.#slots.delete(workflowId);
    };
    try {
      const [, release] = await slots.semaphore.acquire();
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error === E_TIMEOUT ? new Problem('service_unavailable') : error;
    }
  }
}
