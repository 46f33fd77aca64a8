import type { LogLevel, LogMetadata, RuntimeOptions } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

/** What the SDK tells of its own doings is of use to who looks for a fault only. */
const levels = { TRACE: 'trace', DEBUG: 'trace', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** A failed attempt has a line of its own already, with what it is about. */
const failedAttempt = 'Activity failed';
/** The worker of background work has none. */
const noWorkflows = 'No workflows registered, not polling for workflow tasks';

/**
 * The log lines of the SDK, those of its native core among them, in ours: with the part of the core that wrote them, and
 * without their other fields, of which some carry payloads.
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
