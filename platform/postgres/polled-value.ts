import { errorName, type Logger } from '../logger';

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
  readonly #timer: NodeJS.Timeout;
  #value: Value | undefined;
  #isLogged = false;
  #loading: Promise<void> | undefined;

  /** `read`: reads the value from the database. `warning`: the text that is logged once in each outage. */
  constructor(
    private readonly read: () => Promise<Value>,
    private readonly logger: Logger,
    private readonly warning: string,
  ) {
    this.#timer = setInterval(() => void this.load(), intervalMs);
    void this.load();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Undefined until the first read has succeeded. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** Reads the value once. Calls at the same time share one read. Never rejects: after an error, the next interval reads again. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#value = await this.read();
      this.#isLogged = false;
    } catch (error) {
      if (!this.#isLogged && this.#value !== undefined) this.logger.warn({ failure: errorName(error) }, this.warning);
      this.#isLogged = true;
    }
  }
}
