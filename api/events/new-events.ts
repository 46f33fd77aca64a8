import type { Logger } from '../../platform/logger';
import { Notifications } from '../../platform/notifications';
import { eventsChannel } from '../../store/record/transaction-events.sql';
import type { Target } from '../temporal/transactions';

const keyOf = ({ tenant, id }: Target) => `${tenant}/${id}`;

/** Wakes the requests that wait for new events of a transaction. One connection to Postgres serves all waiting requests of a process. */
export class NewEvents {
  /** By transaction: the functions to call when the transaction has new events. */
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #notifications: Notifications | undefined;
  #stopped = false;

  /** Without `databaseUrl`, no new event is noticed, and every `wait` takes its whole time. */
  constructor(logger: Logger, databaseUrl?: string) {
    if (databaseUrl === undefined) return;
    this.#notifications = new Notifications(databaseUrl, eventsChannel, logger, {
      onNotification: (key) => this.#wake(key),
      onConnect: () => this.#wakeAll(),
    });
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** Ends all waits, so that the process can stop. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wakeAll();
    await this.#notifications?.stop();
  }

  /**
   * Starts to watch a transaction. Read the events of the transaction after this call and before `wait`, so that no event is missed.
   * `wait` resolves with true when there may be new events. It resolves with false after `ms` milliseconds, or when `signal` aborts. Call
   * `stop` at the end.
   */
  watch(target: Target, signal: AbortSignal): { wait: (ms: number) => Promise<boolean>; stop: () => void } {
    const key = keyOf(target);
    let isNew = false;
    let wakeUp = () => {};
    const onEvents = () => {
      isNew = true;
      wakeUp();
    };
    signal.addEventListener('abort', () => wakeUp());
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(onEvents));
    return {
      wait: async (ms) => {
        if (!isNew && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            wakeUp = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        const result = isNew;
        isNew = false;
        return result;
      },
      stop: () => {
        listeners.delete(onEvents);
        if (listeners.size === 0) this.#listeners.delete(key);
      },
    };
  }

  #wake(key: string): void {
    for (const onEvents of this.#listeners.get(key) ?? []) onEvents();
  }

  #wakeAll(): void {
    for (const key of this.#listeners.keys()) this.#wake(key);
  }
}
