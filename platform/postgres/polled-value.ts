import { errorName, type Logger } from '../logger';
import { type Rounds, startRounds } from '../rounds';

/** How often the value is read. Polled values decide what callers may do, so a change must take effect soon. A read is one short query. */
const intervalMs = 1_000;

/**
 * After at most this time, every process sees a change: the time until the next read, and as much again for the read. The commands of
 * operators and the guides promise this time for revoked access tokens.
 */
export const seenWithinSeconds = (2 * intervalMs) / 1_000;

/**
 * A value of the database that every process reads again each second, so that all processes see a change within `seenWithinSeconds`. While
 * Postgres does not answer, or answers slowly, the process uses the last value.
 */
export class PolledValue<Value> {
  readonly #rounds: Rounds;
  #value: Value | undefined;
  #isLogged = false;

  /** `read`: reads the value from the database. `warning`: the text that is logged once in each outage. */
  constructor(
    private readonly read: () => Promise<Value>,
    private readonly logger: Logger,
    private readonly warning: string,
  ) {
    this.#rounds = startRounds(
      intervalMs,
      () => this.#load(),
      (error) => this.#report(error),
    );
    void this.load();
  }

  stop(): void {
    this.#rounds.stop();
  }

  /** Undefined until the first read has succeeded. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** Reads the value once. Calls at the same time share one read. Never rejects: after an error, the next interval reads again. */
  load(): Promise<void> {
    return this.#rounds.run();
  }

  async #load(): Promise<void> {
    this.#value = await this.read();
    this.#isLogged = false;
  }

  #report(error: unknown): void {
    if (!this.#isLogged && this.#value !== undefined) this.logger.warn({ failure: errorName(error) }, this.warning);
    this.#isLogged = true;
  }
}
