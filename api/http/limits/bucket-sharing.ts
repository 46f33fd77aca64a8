import { errorName, type Logger } from '../../../platform/logger';
import type { Pool } from '../../../platform/postgres/postgres';
import type { TokenBuckets } from '../../../platform/token-buckets';
import { shareUse } from '../../../store/rate-limits.sql';

/**
 * The time between two exchanges with Postgres. Between two exchanges, a process does not know which requests the others have allowed, so
 * each process can allow the whole quota. A shorter time would cost more SQL statements.
 */
const intervalMs = 100;

/**
 * Shares the buckets of rate limits between the API processes. In each interval, one SQL statement saves how many requests this process
 * allowed, and reads the sum of all processes. Requests never wait for this statement. While Postgres is not available, each process
 * limits its requests on its own.
 */
export class BucketSharing {
  readonly #timer: NodeJS.Timeout;
  #isSharing = false;
  #isAvailable = true;

  constructor(
    private readonly buckets: TokenBuckets,
    private readonly dependencies: { pool: Pool; logger: Logger },
  ) {
    this.#timer = setInterval(() => void this.run(), intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Shares how many requests this process has allowed since the last call. Never rejects. */
  async run(): Promise<void> {
    if (this.#isSharing) return;
    const use = this.buckets.takeUnreportedUse();
    if (use.size === 0) return;
    this.#isSharing = true;
    try {
      this.buckets.applySharedUse(await shareUse(this.dependencies.pool, use));
      this.#report(true);
    } catch (error) {
      // The requests during an outage are not shared later, because each process has already limited its own requests.
      this.#report(false, errorName(error));
    } finally {
      this.#isSharing = false;
    }
  }

  #report(isAvailable: boolean, failure?: string): void {
    if (isAvailable === this.#isAvailable) return;
    this.#isAvailable = isAvailable;
    if (isAvailable) this.dependencies.logger.info('rate limits are shared between processes again');
    else this.dependencies.logger.warn({ failure }, 'rate limits are not shared between processes');
  }
}
