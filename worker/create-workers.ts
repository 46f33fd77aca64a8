import { ApplicationFailure, type DataConverter } from '@temporalio/common';
import {
  type ActivityExecuteInput,
  type ActivityInboundCallsInterceptor,
  type InjectedSinks,
  type NativeConnection,
  type Next,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { errorName, type Logger } from '../platform/logger';
import { backgroundTaskQueue, webhookTaskQueue } from '../workflows/contract/ids';
import type {
  Activities,
  MessageToDeliver,
  RetentionActivities,
  WebhookActivities,
} from '../workflows/contract/activities';
import { TRACE_HEADER } from '@temporalio/interceptors-opentelemetry/lib/instrumentation';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker';
import { addSpan } from '../platform/telemetry/spans';
import type { TraceSinks } from '../workflows/trace-context';
import type { Context } from '@temporalio/activity';
import { stepOfOrigin } from '../domain/confirmations/settings';
import type { WorkerVersion } from './deployment/versions';
import { EndErased } from './erased-workflows';

export interface WorkerDependencies {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Tests may leave out the activities of retention and of webhooks. */
  activities: Activities & Partial<RetentionActivities & WebhookActivities>;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
  /** Tests may leave out the converter. Payloads are then in clear text. */
  dataConverter?: DataConverter;
  /** How many workflows the worker for transactions keeps in memory at most. */
  cachedWorkflows: number;
  /** Tests may leave out the version. Then the workers take the workflows of all versions. */
  version?: WorkerVersion;
  /** How long `run` waits for running work after a shutdown. If some work has not ended then, `run` rejects. Absent: no limit. */
  shutdownForceTime?: NonNullable<WorkerOptions['shutdownForceTime']>;
  /** Called with the id of a workflow whose activity finds its transaction erased. */
  onErased?: (workflowId: string) => void;
  logger: Logger;
}

/** The workers of a process: for transactions, for background work and for webhooks. They start and stop together. */
export interface WorkerGroup {
  /** Resolves when all workers have stopped after a shutdown. If a worker fails, stops the other workers and rejects. */
  run(): Promise<void>;
  /** Stops polling for tasks. Does nothing if the workers do not run. */
  shutdown(): void;
  /** Whether all workers poll for tasks. */
  isRunning(): boolean;
  /** The name by which Temporal shows the worker for transactions. */
  identity: string;
  taskQueue: string;
  version: WorkerVersion | undefined;
}

/**
 * How many background activities run at the same time. This limits the memory if a face verifier hangs. Each verification holds two
 * photographs of about 4 MB, and their copies. Twenty verifications take about 300 MB.
 */
const backgroundSlots = 20;

/**
 * How many webhooks get events at the same time. Each webhook has at most 10 open requests with small bodies, so there are at most 500
 * sockets. A slow webhook takes one of these 50 places for a minute at most.
 */
const webhookSlots = 50;

/**
 * How long running activities may continue after the stop signal. A mail is sent within 6 s, so it is not interrupted. After this time,
 * activities that still run are canceled, and another worker retries them. By default, Docker kills the process 10 s after the stop signal.
 */
const shutdownGraceTime = '6500ms';

/** What workflows report outside of their histories. A replay reports nothing. */
const sinks: InjectedSinks<TraceSinks> = {
  traces: {
    updateHandled: {
      fn: (_info, name, traceparent, startMs, endMs) => addSpan(`HandleUpdate:${name}`, traceparent, startMs, endMs),
    },
  },
};

/** Makes an activity a step of the trace of its request. The activity of a request that is not traced only runs. */
export function traceActivity(context: Context): ActivityInboundCallsInterceptor {
  const traced = new OpenTelemetryActivityInboundInterceptor(context);
  return { execute: (input, next) => (TRACE_HEADER in input.headers ? traced.execute(input, next) : next(input)) };
}

/** Creates the workers for all workflows and activities. */
export async function createWorkers(dependencies: WorkerDependencies): Promise<WorkerGroup> {
  const { connection, namespace, taskQueue, workflowBundle, cachedWorkflows, logger } = dependencies;
  const { dataConverter, shutdownForceTime, onErased, version } = dependencies;
  const {
    verifyFaces,
    eraseImages,
    cleanUpImages,
    cleanUpRows,
    eraseExpiredTransactions,
    deliverEvents,
    ...activities
  } = dependencies.activities;
  const sharedOptions: Omit<WorkerOptions, 'taskQueue'> = {
    connection,
    namespace,
    shutdownGraceTime,
    ...(shutdownForceTime === undefined ? {} : { shutdownForceTime }),
    ...(dataConverter && { dataConverter }),
    ...(version && {
      workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'PINNED' },
    }),
    sinks,
    interceptors: {
      activity: [
        (context) => ({ inbound: traceActivity(context) }),
        (context) => ({ inbound: new ActivityLog(context, logger) }),
        (context) => ({ inbound: new EndOnCancel(context) }),
        ...(onErased ? [(context: Context) => ({ inbound: new EndErased(context, onErased) })] : []),
      ],
    },
  };
  const [worker, ...otherWorkers] = await Promise.all([
    Worker.create({
      ...sharedOptions,
      taskQueue,
      workflowBundle,
      activities,
      maxCachedWorkflows: cachedWorkflows,
      // How long the tasks of a dead worker wait before another worker gets them. The default of 10 s is longer than a caller waits. With
      // one second, another worker may get the task of a worker that is only busy. That other worker must then run the workflow again from
      // its history (a replay), which costs CPU time.
      stickyQueueScheduleToStartTimeout: '1s',
      // Some polls ask for tasks of workflows that no worker has in memory, such as new transactions. This number is the share of these
      // polls in all polls. The reason for 0.5 is a measurement with many new transactions at once. With the default of 0.2, about 1 % of
      // their first tasks waited 2 s, and the median was 220 ms. With 0.5, none of 640 tasks waited 2 s, and the median was 100 ms.
      nonStickyToStickyPollRatio: 0.5,
    }),
    Worker.create({
      ...sharedOptions,
      taskQueue: backgroundTaskQueue(taskQueue),
      activities: {
        verifyFaces,
        eraseImages,
        ...(cleanUpImages && { cleanUpImages }),
        ...(cleanUpRows && { cleanUpRows }),
        ...(eraseExpiredTransactions && { eraseExpiredTransactions }),
      },
      maxConcurrentActivityTaskExecutions: backgroundSlots,
    }),
    ...(deliverEvents
      ? [
          Worker.create({
            ...sharedOptions,
            taskQueue: webhookTaskQueue(taskQueue),
            activities: { deliverEvents },
            maxConcurrentActivityTaskExecutions: webhookSlots,
          }),
        ]
      : []),
  ]);
  const workers = [worker, ...otherWorkers];
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
    version,
    identity: worker.options.identity,
    isRunning: () => workers.every((worker) => worker.getState() === 'RUNNING'),
  };
}

/** The log fields `flow` and `step`, if the activity delivers a message of a flow step. No fields for other activities. */
const stepFieldsOf = (activity: string, [argument]: readonly unknown[]): Record<string, unknown> =>
  activity === 'deliverMessage' ? stepOfOrigin((argument as MessageToDeliver).settings.origin) : {};

/**
 * Logs one line for each attempt of an activity. The line does not have the message of an error, because this message may contain personal
 * data.
 */
export class ActivityLog implements ActivityInboundCallsInterceptor {
  constructor(
    private readonly context: Context,
    private readonly logger: Logger,
  ) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    const started = Date.now();
    const { activityType, attempt, workflowExecution } = this.context.info;
    const logFields = {
      activity: activityType,
      attempt,
      workflowId: workflowExecution?.workflowId,
      ...stepFieldsOf(activityType, input.args),
    };
    try {
      const result = await next(input);
      this.logger.debug({ ...logFields, ms: Date.now() - started }, 'activity done');
      return result;
    } catch (error) {
      const failure = error instanceof ApplicationFailure ? error.type : errorName(error);
      this.logger.warn({ ...logFields, ms: Date.now() - started, failure }, 'activity attempt failed');
      throw error;
    }
  }
}

/**
 * Ends an activity immediately when it is canceled. So a worker that stops does not wait for the database, DNS or other servers. The last
 * request of a canceled activity may still succeed. So a retry of `deliverMessage` first searches for the message at the provider.
 */
export class EndOnCancel implements ActivityInboundCallsInterceptor {
  constructor(private readonly context: Context) {}

  async execute(input: ActivityExecuteInput, next: Next<ActivityInboundCallsInterceptor, 'execute'>): Promise<unknown> {
    // A local activity is part of its workflow task, and has a timeout of 2 s at most.
    if (this.context.info.isLocal) return next(input);
    return Promise.race([next(input), this.context.cancelled]);
  }
}
