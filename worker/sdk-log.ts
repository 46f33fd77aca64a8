import type { LogLevel, LogMetadata, RuntimeOptions } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

/** The SDK's info lines are useful only for debugging. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Redundant: `ActivityLog` logs every failed attempt with its step. */
const failedAttempt = 'Activity failed';
/** Expected: the background worker has no workflows. */
const noWorkflows = 'No workflows registered, not polling for workflow tasks';

/**
 * Writes the log lines of the SDK and its native core to our log, with the module of the core that wrote them. Without the other
 * fields, because some contain payloads.
 */
export function sdkLog(logger: Logger): Pick<RuntimeOptions, 'logger' | 'telemetryOptions'> {
  const log = (level: LogLevel, message: string, { target }: LogMetadata = {}) => {
    if (message === failedAttempt || message === noWorkflows) return;
    logger[levels[level]](typeof target === 'string' ? { target } : {}, message);
  };
  const at = (level: LogLevel) => (message: string, meta?: LogMetadata) => log(level, message, meta);
  const lines = { trace: at('TRACE'), debug: at('DEBUG'), info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
  return { logger: { log, ...lines }, telemetryOptions: { logging: { forward: {} } } };
}
