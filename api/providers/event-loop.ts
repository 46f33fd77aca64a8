import {
  closeProviderEvent,
  postponeProviderEvent,
  takeProviderEvent,
  type TakenEvent,
} from '../../store/messages/provider-events.sql';
import type { Dependencies } from '../dependencies';
import type { InboundEvent, StatusEvent } from './provider-event';
import { processInbound } from './process-inbound';
import { processStatus } from './process-status';

/** New events are processed at once. The loop is for retries, so a short delay does not matter. */
const everyMs = 2_000;

/** Leaves enough of the ten connections of the pool for requests. */
const concurrency = 3;

/** Processes provider events until it is stopped. */
export class EventLoop {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  /** Whether an event may have arrived since the last turn. */
  #more = false;
  #running: Promise<void> | undefined;

  constructor(private readonly dependencies: Dependencies) {
    this.#timer = setInterval(() => this.runNow(), everyMs);
    this.runNow();
  }

  /** Processes waiting events now, instead of at the next turn. */
  runNow(): void {
    this.#more = true;
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  /** Stops the loop, and waits for the event in work. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#more && !this.#stopped) {
        this.#more = false;
        await Promise.all(Array.from({ length: concurrency }, () => this.#processInTurn()));
      }
    } catch (error) {
      this.dependencies.logger.warn({ failure: (error as Error).name }, 'provider events cannot be read; retrying');
    }
  }

  /** Processes one event after the other, until none waits or one fails. */
  async #processInTurn(): Promise<void> {
    const { pool, logger } = this.dependencies;
    while (!this.#stopped) {
      const taken = await takeProviderEvent(pool);
      if (!taken) return;
      try {
        await this.#process(taken);
        await closeProviderEvent(pool, taken.eventId);
      } catch (error) {
        await postponeProviderEvent(pool, taken.eventId);
        logger.warn({ kind: taken.event.kind, failure: (error as Error).name }, 'a provider event will be retried');
        return;
      }
    }
  }

  #process({ eventId, event, receivedAt }: TakenEvent): Promise<void> {
    const { kind, ...payload } = event;
    if (kind === 'status') return processStatus(this.dependencies, payload as StatusEvent);
    return processInbound(this.dependencies, eventId, payload as InboundEvent, receivedAt);
  }
}
