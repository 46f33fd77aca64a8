import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { Problem } from '../http/problem';
import { deadlines } from './deadline';

/**
 * How many commands of one transaction this process sends at the same time. With two, one command can run while another waits for a
 * provider. Temporal accepts 10 updates at a time per workflow, so five API processes never exceed its limit. With more processes, some
 * commands get service_unavailable if many arrive for one transaction.
 */
const slotsPerTransaction = 2;

/**
 * Maximum number of waiting commands of one transaction. Only a caller with a faulty loop or an attacker sends more, and they would only
 * use memory.
 */
const waitingMax = 500;

interface TransactionSlots {
  semaphore: ReturnType<typeof withTimeout>;
  /** Commands that run or wait. */
  commandCount: number;
}

/** A semaphore per transaction: a few commands run at the same time, others wait in order. */
export class CommandSlots {
  readonly #slots = new Map<string, TransactionSlots>();

  /**
   * Waits for a slot of a transaction. Resolves to the function that releases it. Throws service_unavailable after
   * `deadlines.slotMs`, or at once if too many commands wait.
   */
  async acquire(workflowId: string): Promise<() => void> {
    const slots = this.#slots.get(workflowId) ?? {
      semaphore: withTimeout(new Semaphore(slotsPerTransaction), deadlines.slotMs),
      commandCount: 0,
    };
    if (slots.commandCount >= slotsPerTransaction + waitingMax) throw new Problem('service_unavailable');
    this.#slots.set(workflowId, slots);
    slots.commandCount += 1;
    const removeCommand = () => {
      slots.commandCount -= 1;
      if (slots.commandCount === 0) this.#slots.delete(workflowId);
    };
    try {
      const [, release] = await slots.semaphore.acquire();
      return () => {
        release();
        removeCommand();
      };
    } catch (error) {
      removeCommand();
      throw error === E_TIMEOUT ? new Problem('service_unavailable') : error;
    }
  }
}
