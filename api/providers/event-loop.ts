import { deleteOldFlowRequests } from '../../store/flows/flow-requests.sql';
import { deleteOldAttempts } from '../../store/messages/attempts.sql';
import {
  closeProviderEvent,
  deleteOldProviderEvents,
  postponeProviderEvent,
  takeProviderEvent,
  type TakenEvent,
} from '../../store/messages/provider-events.sql';
import type { Dependencies } from '../dependencies';
import type { InboundEvent, StatusEvent } from './provider-event';
import { processInbound } from './process-inbound';
import { processStatus } from './process-status';

/** Events are worked on as they come; the loop is for those that could not be, so a short delay does not matter. */
const everyMs = 2_000;

/** Of the pool's ten connections, these leave enough for requests. */
const atOnce = 3;

/** What is deleted is days old: an hour more is nothing. */
const cleanupEveryMs = 3_600_000;

/** Works on provider events from its making until it is stopped, and deletes those that are past their time. */
export class EventLoop {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  /** Whether an event may have come since the loop last looked. */
  #more = false;
  #running: Promise<void> | undefined;
  #cleanedAtMs = 0;

  constructor(private readonly dependencies: Dependencies) {
    this.#timer = setInterval(() => this.runNow(), everyMs);
    this.runNow();
  }

  /** Works on the events that wait, at once rather than at the next turn. */
  runNow(): void {
    this.#more = true;
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
  }

  /** Ends the loop. Waits for the event under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#more && !this.#stopped) {
        this.#more = false;
        await Promise.all(Array.from({ length: atOnce }, () => this.#workInTurn()));
      }
      await this.#cleanUpHourly();
    } catch (error) {
      this.dependencies.logger.warn({ failure: (error as Error).name }, 'provider events cannot be read; retrying');
    }
  }

  async #cleanUpHourly(): Promise<void> {
    if (this.#stopped || Date.now() < this.#cleanedAtMs + cleanupEveryMs) return;
    this.#cleanedAtMs = Date.now();
    const { pool } = this.dependencies;
    await deleteOldProviderEvents(pool);
    await deleteOldAttempts(pool);
    await deleteOldFlowRequests(pool);
  }

  /** Works on one event after the other, until none waits or one shows that a part of the service is away. */
  async #workInTurn(): Promise<void> {
    const { pool, logger } = this.dependencies;
    while (!this.#stopped) {
      const taken = await takeProviderEvent(pool);
      if (!taken) return;
      try {
        await this.#work(taken);
        await closeProviderEvent(pool, taken.eventId);
      } catch (error) {
        await postponeProviderEvent(pool, taken.eventId);
        logger.warn({ kind: taken.event.kind, failure: (error as Error).name }, 'a provider event will be retried');
        return;
      }
    }
  }

  #work({ eventId, event, receivedAt }: TakenEvent): Promise<void> {
    const { kind, ...payload } = event;
    if (kind === 'status') return processStatus(this.dependencies, payload as StatusEvent);
    return processInbound(this.dependencies, eventId, payload as InboundEvent, receivedAt);
  }
}
