import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex';
import { Problem } from '../http/problem';
import { deadlines } from './deadline';

/**
 * How many commands of one transaction this process sends at the same time. With two, one command can run while another waits for a
 * provider. Temporal accepts 10 updates at a time for each workflow, so five API processes never exceed its limit. With more processes,
 * some commands can get service_unavailable if many arrive for one transaction at the same time.
 */
const slotsPerTransaction = 2;

/**
 * Maximum number of waiting commands of one transaction. Only an attacker or a caller with a faulty loop sends more. Without this limit,
 * their commands would fill the memory.
 */
const waitingMax = 500;

interface TransactionSlots {
  semaphore: ReturnType<typeof withTimeout>;
  /** Commands that run or wait. */
  commandCount: number;
}

/**
 * Limits how many commands of each transaction run at the same time. A command needs a slot to run. The other commands wait for a slot in
 * their order.
 */
export class CommandSlots {
  readonly #slots = new Map<string, TransactionSlots>();

  /**
   * Waits for a slot of a transaction. Resolves to a function that releases the slot. Throws service_unavailable after `deadlines.slotMs`,
   * or at once if too many commands wait.
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
