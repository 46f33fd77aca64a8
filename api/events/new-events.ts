import type { EventBody } from '../../domain/events/event';
import { FairQueue, Shares } from '../../platform/fair-queue';
import type { Logger } from '../../platform/logger';
import { Notifications } from '../../platform/postgres/notifications';
import { eventsChannel } from '../../store/transactions/transaction-events.sql';
import { Problem } from '../http/problem';
import type { Target } from '../transactions/transactions';

/** Maximum number of events in one response. */
export const eventsMax = 100;

/**
 * Maximum number of requests that wait for the events of one transaction. A caller needs one or two. The limit keeps the work for one event
 * short: each waiting request gets the event at the same time.
 */
const waitingPerTransactionMax = 100;

/**
 * How many reads of new events run at the same time. This leaves most of the ten connections of the pool for other requests, even after an
 * outage, when all waiting requests read at once.
 */
const concurrentReads = 4;

/** Events of a transaction, oldest first: all after the sequence number `from`, or the first `eventsMax` of them. */
interface ReadEvents {
  from: number;
  events: readonly EventBody[];
}

/** The requests that wait for the events of one transaction. */
interface WatchedTransaction {
  watchers: Set<Watcher>;
  /** The read since the last wake-up, which all watchers share. Undefined until the first of them reads. */
  read: Promise<ReadEvents> | undefined;
}

interface Watcher {
  wakeUp: () => void;
  /** The sequence number of the last event that the request has. Infinity until the request waits for the first time. */
  after: number;
}

/** A request that waits for new events of a transaction. */
export interface Watch {
  /**
   * Resolves with true when there may be events after the sequence number `after`. Resolves with false after `ms` milliseconds, when the
   * signal aborts, or when the process stops.
   */
  wait(after: number, ms: number): Promise<boolean>;
  /**
   * After `wait` has resolved with true: the events after `after`. All requests that wait for a transaction share one call of `read`, which
   * returns the events after its argument, at most `eventsMax`. A request that needs earlier or later events than the shared call has
   * returned calls `read` itself.
   */
  readNew(after: number, read: (after: number) => Promise<readonly EventBody[]>): Promise<readonly EventBody[]>;
  /** Must be called at the end. */
  stop(): void;
}

export interface NewEventsOptions {
  /** Without an address, no new event is noticed, and every `wait` takes its whole time. */
  databaseUrl?: string;
  /** How many requests may wait in this process. One tenant has at most half of these places, and one client a quarter. */
  waitingMax: number;
}

/** Wakes the requests that wait for new events of a transaction. One connection to Postgres serves all waiting requests of a process. */
export class NewEvents {
  readonly #transactions = new Map<string, WatchedTransaction>();
  readonly #notifications: Notifications | undefined;
  readonly #waiting = new Shares();
  readonly #reads = new FairQueue({ slots: concurrentReads });
  #stopped = false;

  constructor(
    logger: Logger,
    private readonly options: NewEventsOptions,
  ) {
    if (options.databaseUrl === undefined) return;
    this.#notifications = new Notifications(options.databaseUrl, eventsChannel, logger, {
      onNotification: (key) => this.wake(key),
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
   * Starts to watch a transaction. Read the events of the transaction after this call and before `wait`, so that no event is missed. Throws
   * too_many_waiting if the client, the tenant or the process has no place left.
   */
  watch({ tenant, id, clientId }: Target & { clientId: string }, signal: AbortSignal): Watch {
    const key = `${tenant}/${id}`;
    const { waitingMax } = this.options;
    const release = this.#waiting.take([
      { subject: 'process', max: waitingMax },
      { subject: `tenant ${tenant}`, max: Math.ceil(waitingMax / 2) },
      { subject: `client ${clientId}`, max: Math.ceil(waitingMax / 4) },
      { subject: `transaction ${key}`, max: waitingPerTransactionMax },
    ]);
    if (!release) throw new Problem('too_many_waiting');
    let isNew = false;
    let endWait = () => {};
    const watcher: Watcher = {
      after: Infinity,
      wakeUp: () => {
        isNew = true;
        endWait();
      },
    };
    signal.addEventListener('abort', () => endWait());
    const transaction = this.#transactions.get(key) ?? { watchers: new Set(), read: undefined };
    transaction.watchers.add(watcher);
    this.#transactions.set(key, transaction);
    return {
      wait: async (after, ms) => {
        watcher.after = after;
        if (!isNew && !signal.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            endWait = () => {
              clearTimeout(timer);
              resolve();
            };
          });
        }
        const result = isNew;
        isNew = false;
        return result && !this.#stopped;
      },
      readNew: async (after, read) => {
        transaction.read ??= this.#reads.run(async () => {
          const from = Math.min(after, ...[...transaction.watchers].map((one) => one.after));
          return { from, events: await read(from) };
        });
        const { from, events } = await transaction.read;
        const newEvents = events.filter(({ sequence }) => sequence > after);
        const endsBefore = newEvents.length === 0 && events.length >= eventsMax;
        // A request that did not wait yet when the shared read began may be at an earlier event than all who waited.
        return from > after || endsBefore ? this.#reads.run(() => read(after)) : newEvents;
      },
      stop: () => {
        release();
        transaction.watchers.delete(watcher);
        if (transaction.watchers.size === 0) this.#transactions.delete(key);
      },
    };
  }

  /** Wakes the requests that wait for a transaction. `key`: its tenant and id, as `tenant/id`. */
  wake(key: string): void {
    const transaction = this.#transactions.get(key);
    if (!transaction) return;
    // A read that began before this wake-up may not have the new events.
    transaction.read = undefined;
    for (const { wakeUp } of transaction.watchers) wakeUp();
  }

  #wakeAll(): void {
    for (const key of this.#transactions.keys()) this.wake(key);
  }
}
