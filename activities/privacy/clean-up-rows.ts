import { rewrapDataKeys } from '../../platform/keys/rewrap-data-keys';
import type { Keys } from '../../platform/keys/service-keys';
import { maintainSigningKeys } from '../../platform/keys/signing-keys';
import { errorName, type Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { deleteOldFlowRequests } from '../../store/flows/flow-activations.sql';
import { deleteExpiredListEntries } from '../../store/lists/list-entries.sql';
import { deleteOldAttempts } from '../../store/messages/attempts.sql';
import { deleteOldDailySends } from '../../store/messages/daily-sends.sql';
import { PostgresDayKeys } from '../../store/messages/day-keys';
import { deleteOldProviderEvents } from '../../store/messages/provider-events.sql';
import { deleteOldProviderHealth } from '../../store/messages/provider-health.sql';
import { deleteOldBlocks } from '../../store/messages/send-blocks.sql';
import { deleteErasedSends } from '../../store/messages/sends/sent-messages.sql';
import type { ErasureLog } from '../../store/privacy/erasure-log';
import { deleteFullBuckets } from '../../store/rate-limits.sql';
import type { RetentionActivities } from '../../workflows/contract/activities';

interface RowCleanupDependencies {
  pool: Pool;
  keys: Keys;
  erasureLog: Pick<ErasureLog, 'removeBefore'>;
  /** For how many days the entries of the erasure log are kept. */
  erasureLogDays: number;
  logger: Logger;
  /** Tells Temporal that the worker is alive. */
  heartbeat: () => void;
  /** Returns a signal that is aborted when the activity must end. The next attempt does the rest. */
  signal: () => AbortSignal;
}

/** Less than half of the heartbeat timeout in the workflow, so that one late heartbeat does no harm. */
const heartbeatMs = 10_000;

const dayMs = 86_400_000;

/** Creates the activity that deletes old rows and keeps the keys current. After an error in one task, it continues with the next. */
export function createRowCleanup(dependencies: RowCleanupDependencies): RetentionActivities['cleanUpRows'] {
  const { pool, keys, erasureLog, erasureLogDays, logger, heartbeat, signal } = dependencies;
  const dayKeys = new PostgresDayKeys(pool, keys.serviceKeys);
  /** After a change of the service key, encrypts the data keys with the new service key. */
  const rewrapKeys = async () => {
    const rewrapped = await rewrapDataKeys(pool, keys.serviceKeys, logger);
    if (rewrapped > 0) logger.info({ rewrapped }, 'all data keys are encrypted with the current service key');
  };
  const tasks: Record<string, () => Promise<unknown>> = {
    'provider events': () => deleteOldProviderEvents(pool),
    'code attempts': () => deleteOldAttempts(pool),
    'daily sends': () => deleteOldDailySends(pool),
    'sends of erased transactions': () => deleteErasedSends(pool),
    blocks: () => deleteOldBlocks(pool),
    'list entries': () => deleteExpiredListEntries(pool),
    'provider health': () => deleteOldProviderHealth(pool),
    'flow requests': () => deleteOldFlowRequests(pool),
    // A full bucket has all requests of its rate limit left. A bucket without a row counts as full, so the row is not needed.
    'rate limits': () => deleteFullBuckets(pool),
    'erasure log': () => erasureLog.removeBefore(new Date(Date.now() - erasureLogDays * dayMs)),
    'day keys': () => dayKeys.deleteOld(),
    'data keys': rewrapKeys,
    'signing keys': () => maintainSigningKeys(pool, keys.serviceKeys),
  };
  return async () => {
    const failed: string[] = [];
    const heart = setInterval(heartbeat, heartbeatMs);
    const ended = signal();
    for (const [name, task] of Object.entries(tasks)) {
      try {
        ended.throwIfAborted();
        await task();
      } catch (error) {
        if (ended.aborted) break;
        failed.push(name);
        logger.warn(
          { task: name, failure: errorName(error) },
          'old rows or keys cannot be cleaned up; retrying in an hour',
        );
      }
    }
    clearInterval(heart);
    ended.throwIfAborted();
    return { failed };
  };
}
