import type { Logger } from '../platform/logger';
import { errorName, type Pool } from '../platform/postgres';
import { deleteOldFlowRequests } from '../store/flows/flow-requests.sql';
import { deleteOldAttempts } from '../store/messages/attempts.sql';
import { deleteOldDailySends } from '../store/messages/daily-sends.sql';
import { deleteOldProviderEvents } from '../store/messages/provider-events.sql';
import { deleteOldBlocks } from '../store/messages/send-blocks.sql';

const intervalMs = 3_600_000;

/** Deletes rows that nothing needs any more, at once and then every hour. It runs in the background. */
export class Cleanup {
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly dependencies: { pool: Pool; logger: Logger }) {
    this.#timer = setInterval(() => void this.run(), intervalMs);
    void this.run();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Deletes the old rows once. Never rejects: after an error, the next run tries again. */
  async run(): Promise<void> {
    const { pool, logger } = this.dependencies;
    for (const deleteOld of [
      deleteOldProviderEvents,
      deleteOldAttempts,
      deleteOldDailySends,
      deleteOldBlocks,
      deleteOldFlowRequests,
    ]) {
      try {
        await deleteOld(pool);
      } catch (error) {
        logger.warn({ failure: errorName(error) }, 'old rows cannot be deleted; retrying in an hour');
      }
    }
  }
}
