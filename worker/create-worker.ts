import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Activities, RetentionActivities } from '../workflows/ports';
import { ActivityLog } from './activity-log';
import type { Logger } from '../platform/logger';

export interface WorkerParts {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Tests of transactions alone do without those of retention. */
  activities: Activities & Partial<RetentionActivities>;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  cachedWorkflows: number;
  logger: Logger;
}

/** A worker that hosts the workflows and the activities of transactions and of retention. Tests make theirs here too. */
export function createWorker(parts: WorkerParts): Promise<Worker> {
  const { connection, namespace, taskQueue, activities, workflowBundle, cachedWorkflows, logger } = parts;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle,
    activities,
    maxCachedWorkflows: cachedWorkflows,
    // When a worker dies, its tasks wait this long before another takes them over. The default of 10 s is longer than
    // a caller waits; a busy worker that is passed over costs no more than a replay.
    stickyQueueScheduleToStartTimeout: '1s',
    // A running activity ends within 10 s; a stop that waits longer would be killed by most orchestrators.
    shutdownGraceTime: '10s',
    shutdownForceTime: '15s',
    interceptors: { activity: [(context) => ({ inbound: new ActivityLog(context, logger) })] },
  });
}
