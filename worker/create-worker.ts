import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Logger } from '../platform/logger';
import { backgroundTaskQueue } from '../workflows/contract';
import type { Activities, RetentionActivities } from '../workflows/ports';
import { ActivityLog } from './activity-log';
import { EndOnCancel } from './end-on-cancel';

export interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Tests of transactions alone do without those of retention. */
  activities: Activities & Partial<RetentionActivities>;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  cachedWorkflows: number;
  logger: Logger;
}

/** The workers of one process: one of transactions, one of background work. They start and stop together. */
export interface WorkerPair {
  /** Resolves when both have drained after a shutdown. When one fails, stops the other and rejects. */
  run(): Promise<void>;
  /** Takes no more tasks. Does nothing to workers that do not run. */
  shutdown(): void;
  /** Whether both take tasks. */
  isRunning(): boolean;
  /** By which Temporal names the worker of transactions. */
  identity: string;
  taskQueue: string;
}

/**
 * A hung face verifier must not fill the memory: each verification holds two photographs of some 4 MB, and their copies
 * on the way. Twenty take some 300 MB, and still leave room for six notices a second to servers that hang for their 3 s.
 */
const backgroundSlots = 20;

/**
 * What an orchestrator gives a stop is 10 s. A mail may take 6 s, the longest of all sends: it ends with its outcome
 * known. What still runs then is cancelled, ends at once, and is repeated by another worker.
 */
const stop = { shutdownGraceTime: '6500ms', shutdownForceTime: '8s' } as const;

/** Makes the workers that host the workflows and the activities of transactions and of retention. */
export async function createWorker(dependencies: WorkerDependencies): Promise<WorkerPair> {
  const { connection, namespace, taskQueue, workflowBundle, cachedWorkflows, logger } = dependencies;
  const { verifyFaces, notifyCaller, eraseImages, sweepImages, ...activities } = dependencies.activities;
  const shared: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    ...stop,
    interceptors: {
      activity: [
        (context) => ({ inbound: new ActivityLog(context, logger) }),
        (context) => ({ inbound: new EndOnCancel(context) }),
      ],
    },
  };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue,
      workflowBundle,
      activities,
      maxCachedWorkflows: cachedWorkflows,
      // When a worker dies, its tasks wait this long before another takes them over. The default of 10 s is longer than
      // a caller waits; a busy worker that is passed over costs no more than a replay.
      stickyQueueScheduleToStartTimeout: '1s',
    }),
    Worker.create({
      ...shared,
      taskQueue: backgroundTaskQueue(taskQueue),
      activities: { verifyFaces, notifyCaller, eraseImages, ...(sweepImages && { sweepImages }) },
      maxConcurrentActivityTaskExecutions: backgroundSlots,
    }),
  ]);
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    async run() {
      const runs = workers.map((worker) => worker.run());
      try {
        await Promise.all(runs);
      } finally {
        shutdown();
        await Promise.allSettled(runs);
      }
    },
    shutdown,
    taskQueue,
    identity: workers[0].options.identity,
    isRunning: () => workers.every((worker) => worker.getState() === 'RUNNING'),
  };
}
