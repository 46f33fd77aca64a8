import { type LogLevel, type LogMetadata, Runtime, type RuntimeOptions } from '@temporalio/worker';
import { errorName, type Logger } from '../logger';

/** The level at which we log lines of each level of the SDK. The info lines of the SDK are useful only for debugging. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** A line of the SDK that is left out, because `ActivityLog` logs every failed attempt of an activity, with the step of the flow. */
const failedAttemptMessage = 'Activity failed';
/** A line of the SDK that is left out, because the background worker is expected to have no workflows. */
const noWorkflowsMessage = 'No workflows registered, not polling for workflow tasks';

/**
 * The fields of a log line that contain no payloads. The native core has other names for these fields. The id of the workflow run is logged
 * as `workflowRunId`, because `runId` in our log is the id of a flow run.
 */
function safeFieldsOf(meta: LogMetadata): Record<string, string> {
  const { target, workflowId = meta['workflow_id'], runId = meta['run_id'], error } = meta;
  const texts = Object.entries({ target, workflowId, workflowRunId: runId });
  return {
    ...Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    ...(error === undefined ? {} : { failure: errorName(error) }),
  };
}

/**
 * Writes the log lines of the SDK and its native core to our log. Keeps only these fields: the module that wrote the line, the ids of the
 * workflow, and the name of the error. Messages of errors and other fields may contain payloads.
 */
export function sdkLogOptions(logger: Logger): Pick<RuntimeOptions, 'logger' | 'telemetryOptions'> {
  const log = (level: LogLevel, message: string, meta: LogMetadata = {}) => {
    if (message === failedAttemptMessage || message === noWorkflowsMessage) return;
    logger[levels[level]](safeFieldsOf(meta), message);
  };
  const logAt = (level: LogLevel) => (message: string, meta?: LogMetadata) => log(level, message, meta);
  const logMethods = {
    trace: logAt('TRACE'),
    debug: logAt('DEBUG'),
    info: logAt('INFO'),
    warn: logAt('WARN'),
    error: logAt('ERROR'),
  };
  return { logger: { log, ...logMethods }, telemetryOptions: { logging: { forward: {} } } };
}

/** Boundaries for the length of a history. One code takes 28 events, and a transaction continues as new at 500. */
const historyBoundaries = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

/**
 * Starts the native core of Temporal's SDK in this process. Call this function before the first native connection. When the process gets
 * one of `shutdownSignals`, its workers stop. `metricsAddress`: where the core serves its own metrics for Prometheus. Absent: nowhere.
 */
export function startTemporalCore(
  logger: Logger,
  shutdownSignals: NonNullable<RuntimeOptions['shutdownSignals']>,
  metricsAddress?: string,
): void {
  const logOptions = sdkLogOptions(logger);
  // The names and units are those of the dashboards that Temporal publishes.
  const prometheus = {
    bindAddress: metricsAddress ?? '',
    unitSuffix: true,
    useSecondsForDurations: true,
    histogramBucketOverrides: { countersign_history: historyBoundaries },
  };
  Runtime.install({
    shutdownSignals,
    ...logOptions,
    telemetryOptions: {
      ...logOptions.telemetryOptions,
      ...(metricsAddress !== undefined && { metrics: { prometheus } }),
    },
  });
}
