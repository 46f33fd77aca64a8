import { rewrapDataKeys } from '../platform/keys/rewrap-data-keys';
import type { Keys } from '../platform/keys/service-keys';
import { maintainSigningKeys } from '../platform/keys/signing-keys';
import type { Logger } from '../platform/logger';
import { errorName, type Pool } from '../platform/postgres/postgres';
import { deleteFullBuckets } from './http/limits/shared-buckets.sql';
import { deleteOldFlowRequests } from '../store/flows/flow-activations.sql';
import { deleteOldAttempts } from '../store/messages/attempts.sql';
import { deleteOldDailySends, type PostgresDayKeys } from '../store/messages/daily-sends.sql';
import { deleteOldProviderEvents } from '../store/messages/provider-events.sql';
import { deleteErasedSends } from '../store/messages/sends/sent-messages.sql';
import { deleteOldBlocks } from '../store/messages/send-blocks.sql';

/** The time between two cleanups. */
const intervalMs = 3_600_000;

interface CleanupDependencies {
  pool: Pool;
  keys: Keys;
  dayKeys: Pick<PostgresDayKeys, 'deleteOld'>;
  logger: Logger;
}

/**
 * Deletes rows that nothing needs any more, rotates signing keys, and encrypts keys with the current service key. Runs at once and then
 * every hour.
 */
export class Cleanup {
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly dependencies: CleanupDependencies) {
    this.#timer = setInterval(() => void this.run(), intervalMs);
    void this.run();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Cleans up once. Never rejects: if a task fails, the next cleanup tries it again. */
  async run(): Promise<void> {
    const { pool, keys, dayKeys, logger } = this.dependencies;
    const tasks = [
      deleteOldProviderEvents,
      deleteOldAttempts,
      deleteOldDailySends,
      deleteErasedSends,
      deleteOldBlocks,
      deleteOldFlowRequests,
      // A full bucket has all requests of its rate limit left. A bucket without a row counts as full, so the row is not needed.
      deleteFullBuckets,
      () => dayKeys.deleteOld(),
      () => this.#rewrapKeys(keys),
      () => maintainSigningKeys(pool, keys.serviceKeys),
    ];
    for (const task of tasks) {
      try {
        await task(pool);
      } catch (error) {
        logger.warn({ failure: errorName(error) }, 'old rows or keys cannot be cleaned up; retrying in an hour');
      }
    }
  }

  /** After a change of the service key, encrypts the data keys with the new service key. */
  async #rewrapKeys(keys: Keys): Promise<void> {
    const { pool, logger } = this.dependencies;
    const rewrapped = await rewrapDataKeys(pool, keys.serviceKeys, logger);
    if (rewrapped > 0) logger.info({ rewrapped }, 'all data keys are encrypted with the current service key');
  }
}
