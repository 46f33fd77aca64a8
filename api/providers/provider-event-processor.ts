import {
  type ClaimedEvent,
  claimProviderEvent,
  type DecisionEvent,
  decryptProviderEvent,
  type InboundEvent,
  markProviderEventDone,
  postponeProviderEvent,
  saveProviderEvent,
  type StatusEvent,
} from '../../store/messages/provider-events.sql';
import { Shares } from '../../platform/fair-queue';
import { errorName } from '../../platform/logger';
import { asService } from '../../platform/postgres/tenant-scope';
import type { Needs } from '../dependencies';
import { processDecision } from './process-decision';
import { processInbound } from './process-inbound';
import { SendLocked, StatusReports } from './status-reports';
import type { TransactionWork } from '../transactions/transactions';

/** The time between two searches for events to retry. New events are processed at once, so this time need not be shorter. */
const intervalMs = 2_000;

/** How many events use Postgres at the same time. This leaves enough of the ten connections of the pool for requests. */
const concurrency = 3;

/**
 * How many events wait for an answer of their transaction at the same time, which can take 15 s. An event without a place is retried. A
 * process sends two commands of a transaction at a time (CommandSlots), so more of its events would only wait longer.
 */
const waitingMax = { process: 100, tenant: 25, transaction: 2 };

/** Processes provider events until it is stopped. */
export class ProviderEventProcessor {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  /** Whether an event may have arrived since the last search. */
  #mayHaveEvents = false;
  #running: Promise<void> | undefined;
  readonly #places = new Shares();
  /** The events that wait for their transactions. They never reject. */
  readonly #waiting = new Set<Promise<void>>();
  readonly #statusReports: StatusReports;

  constructor(private readonly dependencies: Needs<'dayKeys' | 'keys' | 'logger' | 'pool' | 'transactions'>) {
    this.#statusReports = new StatusReports(dependencies);
    this.#timer = setInterval(() => this.runNow(), intervalMs);
    this.runNow();
  }

  /** Processes waiting events now, instead of after the interval. */
  runNow(): void {
    this.#mayHaveEvents = true;
    // A request of one tenant can start the processing, but the waiting events are of all tenants. So the processing runs as the service.
    this.#running ??= asService(() => this.#drain()).finally(() => {
      this.#running = undefined;
    });
  }

  /**
   * Saves the status of a message that the provider reports, and tells its transaction. Returns when both are durable. If the transaction
   * cannot be told now, the report becomes an event, which is processed later. Throws the error of an outage of Postgres.
   */
  takeStatus(event: StatusEvent): Promise<void> {
    return asService(async () => {
      if (await this.#takeNow(event)) return;
      const { dayKeys, pool } = this.dependencies;
      await saveProviderEvent(pool, dayKeys, `${event.providerId}:${event.status}`, event);
    });
  }

  /** Saves a status, and tells its transaction. Returns false if that must wait. */
  async #takeNow(event: StatusEvent): Promise<boolean> {
    try {
      const work = await this.#statusReports.take(event);
      return !work || (await this.#runNow(work));
    } catch (error) {
      if (error instanceof SendLocked) return false;
      throw error;
    }
  }

  /** Runs the work of a status report. Returns false if it finds no place, or fails. */
  async #runNow({ target, run }: TransactionWork): Promise<boolean> {
    const release = this.#takePlace(target);
    if (!release) return false;
    try {
      await run();
      return true;
    } catch (error) {
      this.dependencies.logger.warn({ kind: 'status', failure: errorName(error) }, 'a provider event will be retried');
      return false;
    } finally {
      release();
    }
  }

  /** Takes a place to wait for a transaction. Returns the function that gives it back. Undefined if no place is free. */
  #takePlace({ tenant, id }: TransactionWork['target']): (() => void) | undefined {
    return this.#places.take([
      { subject: 'process', max: waitingMax.process },
      { subject: `tenant ${tenant}`, max: waitingMax.tenant },
      { subject: `transaction ${tenant}/${id}`, max: waitingMax.transaction },
    ]);
  }

  /** Stops the processing, and waits for the events that are being processed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
    await Promise.all(this.#waiting);
  }

  /** Processes events until none waits. */
  async #drain(): Promise<void> {
    try {
      while (this.#mayHaveEvents && !this.#stopped) {
        this.#mayHaveEvents = false;
        await Promise.all(Array.from({ length: concurrency }, () => this.#processOneByOne()));
      }
    } catch (error) {
      this.#logOutage(error);
    }
  }

  /** Processes one event after the other, until none is left. Does not wait for the answers of transactions. A failed event is retried later. */
  async #processOneByOne(): Promise<void> {
    const { pool } = this.dependencies;
    while (!this.#stopped) {
      const claimedEvent = await claimProviderEvent(pool);
      if (!claimedEvent) return;
      try {
        const work = await this.#process(claimedEvent);
        if (work) this.#start(claimedEvent, work);
        else await markProviderEventDone(pool, claimedEvent.eventId);
      } catch (error) {
        await this.#postpone(claimedEvent, error);
      }
    }
  }

  /** Starts the work of an event that waits for its transaction. Throws TooManyWaiting. */
  #start(claimedEvent: ClaimedEvent, { target, run }: TransactionWork): void {
    const release = this.#takePlace(target);
    if (!release) throw new TooManyWaiting('too many events wait for their transactions');
    const waiting = run()
      .then(() => markProviderEventDone(this.dependencies.pool, claimedEvent.eventId))
      .catch((error: unknown) => this.#postpone(claimedEvent, error))
      .catch((error: unknown) => this.#logOutage(error))
      .finally(() => {
        release();
        this.#waiting.delete(waiting);
      });
    this.#waiting.add(waiting);
  }

  async #postpone({ eventId, kind }: ClaimedEvent, error: unknown): Promise<void> {
    await postponeProviderEvent(this.dependencies.pool, eventId);
    this.dependencies.logger.warn({ kind, failure: (error as Error).name }, 'a provider event will be retried');
  }

  #logOutage(error: unknown): void {
    this.dependencies.logger.warn({ failure: (error as Error).name }, 'provider events cannot be read; retrying');
  }

  /**
   * Processes an event. Returns the work that waits for its transaction, if there is any. If the event cannot be decrypted, only logs this.
   * It does not throw, because a retry would not help.
   */
  async #process(claimedEvent: ClaimedEvent): Promise<TransactionWork | undefined> {
    const { eventId, kind, day, receivedAt } = claimedEvent;
    const event = await decryptProviderEvent(this.dependencies.dayKeys, claimedEvent);
    if (!event) {
      this.dependencies.logger.error({ eventId, kind, day }, 'a provider event cannot be decrypted and is closed');
      return undefined;
    }
    if (kind === 'status') return this.#statusReports.take(event as StatusEvent);
    if (kind === 'inbound') return processInbound(this.dependencies, eventId, event as InboundEvent, receivedAt);
    if (kind === 'decision') return processDecision(this.dependencies, eventId, event as DecisionEvent);
    throw new UnknownKind(`events of the kind ${kind} are processed by another version of the service`);
  }
}

/** Thrown for an event that only another version of the service can process. The event is retried. */
class UnknownKind extends Error {
  override name = 'UnknownKind';
}

/** Thrown if an event finds no place to wait for its transaction. The event is retried. */
class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}
