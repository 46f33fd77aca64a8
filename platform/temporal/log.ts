import { type LogLevel, type LogMetadata, Runtime, type RuntimeOptions } from '@temporalio/worker';
import type { Logger } from '../logger';

/** The SDK's info lines are useful only for debugging. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Redundant: `ActivityLog` logs every failed attempt with its step. */
const failedAttemptMessage = 'Activity failed';
/** Expected: the background worker has no workflows. */
const noWorkflowsMessage = 'No workflows registered, not polling for workflow tasks';

/**
 * Writes the log lines of the SDK and its native core to our log. Of their fields it keeps only the module that wrote them, because
 * other fields may contain payloads.
 */
export function sdkLogOptions(logger: Logger): Pick<RuntimeOptions, 'logger' | 'telemetryOptions'> {
  const log = (level: LogLevel, message: string, { target }: LogMetadata = {}) => {
    if (message === failedAttemptMessage || message === noWorkflowsMessage) return;
    logger[levels[level]](typeof target === 'string' ? { target } : {}, message);
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

/**
 * Starts the native core of this process, before its first native connection. On a signal of `shutdownSignals`, its workers stop.
 */
export function startTemporalCore(
  logger: Logger,
  shutdownSignals: NonNullable<RuntimeOptions['shutdownSignals']>,
): void {
  Runtime.install({ shutdownSignals, ...sdkLogOptions(logger) });
}
