import type { Dependencies } from '../dependencies';
import { closeEvent, postponeEvent, takeEvent, type TakenEvent } from './event-store';
import { sweep } from './sweep';
import { workOnInbound } from './work-on-inbound';
import { workOnStatus } from './work-on-status';

/** Events are worked on as they come; the loop is for those that could not be, so a short delay does not matter. */
const everyMs = 2_000;

/** Of the pool's ten connections, these leave enough for requests. */
const atOnce = 3;

/** What is swept lies there for days: an hour more is nothing, and every process sweeps. */
const sweepEveryMs = 3_600_000;

/** Works on provider events from its making until it is stopped, and deletes those that are past their time. */
export class EventLoop {
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  /** Whether an event may have come since the loop last looked. */
  #more = false;
  #running: Promise<void> | undefined;
  #sweptAtMs = 0;

  constructor(private readonly parts: Dependencies) {
    this.#timer = setInterval(() => this.wake(), everyMs);
    this.wake();
  }

  /** Works on the events that wait, at once rather than at the next turn. */
  wake(): void {
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
      await this.#sweepHourly();
    } catch (error) {
      this.parts.logger.warn({ failure: (error as Error).name }, 'provider events wait for the database');
    }
  }

  async #sweepHourly(): Promise<void> {
    if (this.#stopped || Date.now() < this.#sweptAtMs + sweepEveryMs) return;
    this.#sweptAtMs = Date.now();
    await sweep(this.parts.pool);
  }

  /** Works on one event after the other, until none waits or one shows that a part of the service is away. */
  async #workInTurn(): Promise<void> {
    const { pool, logger } = this.parts;
    while (!this.#stopped) {
      const taken = await takeEvent(pool);
      if (!taken) return;
      try {
        await this.#work(taken);
        await closeEvent(pool, taken.eventId);
      } catch (error) {
        await postponeEvent(pool, taken.eventId);
        logger.warn({ kind: taken.event.kind, failure: (error as Error).name }, 'a provider event is tried again');
        return;
      }
    }
  }

  #work({ eventId, event, receivedAt }: TakenEvent): Promise<void> {
    if (event.kind === 'status') return workOnStatus(this.parts, event);
    return workOnInbound(this.parts, eventId, event, receivedAt);
  }
}
