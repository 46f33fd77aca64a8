import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { Problem } from '../http/problem';

/**
 * Commands of one transaction that this process has under way at a time. Temporal takes 10 of one workflow; several API
 * processes share them, and what they send beyond is refused by Temporal and sent again until the deadline.
 */
const perTransaction = 4;

/** Beyond this a transaction is under attack or in a loop, and waiting would only fill memory. */
const waitingMax = 500;

/** A caller who waits longer for a slot is told to come back. */
const waitMs = 10_000;

interface Slots {
  semaphore: ReturnType<typeof withTimeout>;
  users: number;
}

/** Lets a few commands per transaction through at a time; others wait in order. Throws service_unavailable. */
export class CommandSlots {
  readonly #slots = new Map<string, Slots>();

  async use<Result>(workflowId: string, send: () => Promise<Result>): Promise<Result> {
    const slots = this.#slots.get(workflowId) ?? {
      semaphore: withTimeout(new Semaphore(perTransaction), waitMs),
      users: 0,
    };
    if (slots.users >= perTransaction + waitingMax) throw new Problem('service_unavailable');
    this.#slots.set(workflowId, slots);
    slots.users += 1;
    try {
      return await slots.semaphore.runExclusive(send);
    } catch (error) {
      throw error === E_TIMEOUT ? new Problem('service_unavailable') : error;
    } finally {
      slots.users -= 1;
      if (slots.users === 0) this.#slots.delete(workflowId);
    }
  }
}
