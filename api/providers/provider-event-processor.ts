import {
  markProviderEventDone,
  postponeProviderEvent,
  claimProviderEvent,
  type ClaimedEvent,
  decryptProviderEvent,
} from '../../store/messages/provider-events.sql';
import { asService } from '../../platform/tenant-scope';
import type { Dependencies } from '../dependencies';
import type { InboundEvent, StatusEvent, TestReviewEvent } from '../../store/messages/provider-event';
import { processInbound } from './process-inbound';
import { processStatus } from './process-status';

/** The time between two searches for events to retry. New events are processed at once, so this time need not be shorter. */
const intervalMs = 2_000;

/** How many events are processed at the same time. This leaves enough of the ten connections of the pool for requests. */
const concurrency = 3;

/** Processes provider events until it is stopped. */
export class ProviderEventProcessor {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  /** Whether an event may have arrived since the last search. */
  #mayHaveEvents = false;
  #running: Promise<void> | undefined;

  constructor(private readonly dependencies: Dependencies) {
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

  /** Stops the processing, and waits for the events that are being processed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Processes events until none waits. */
  async #drain(): Promise<void> {
    try {
      while (this.#mayHaveEvents && !this.#stopped) {
        this.#mayHaveEvents = false;
        await Promise.all(Array.from({ length: concurrency }, () => this.#processOneByOne()));
      }
    } catch (error) {
      this.dependencies.logger.warn({ failure: (error as Error).name }, 'provider events cannot be read; retrying');
    }
  }

  /** Processes one event after the other, until no event waits or an event fails. A failed event is retried later. */
  async #processOneByOne(): Promise<void> {
    const { pool, logger } = this.dependencies;
    while (!this.#stopped) {
      const claimedEvent = await claimProviderEvent(pool);
      if (!claimedEvent) return;
      const { eventId, kind } = claimedEvent;
      try {
        await this.#process(claimedEvent);
        await markProviderEventDone(pool, eventId);
      } catch (error) {
        await postponeProviderEvent(pool, eventId);
        logger.warn({ kind, failure: (error as Error).name }, 'a provider event will be retried');
        return;
      }
    }
  }

  /** Processes an event. If the event cannot be decrypted, only logs this. It does not throw, because a retry would not help. */
  async #process(claimedEvent: ClaimedEvent): Promise<void> {
    const { eventId, kind, day, receivedAt } = claimedEvent;
    const event = await decryptProviderEvent(this.dependencies.dayKeys, claimedEvent);
    if (!event) {
      this.dependencies.logger.error({ eventId, kind, day }, 'a provider event cannot be decrypted and is closed');
      return;
    }
    if (event.kind === 'status') await processStatus(this.dependencies, event as StatusEvent);
    else if (event.kind === 'testReview') await this.dependencies.decideTestReview?.(event as TestReviewEvent);
    else await processInbound(this.dependencies, eventId, event as InboundEvent, receivedAt);
  }
}
