import pino from 'pino';

export type Logger = pino.Logger;

/** Fields that are redacted in every log line. This is a second protection: the code logs only chosen fields. */
const redactedFields = [
  'value',
  'code',
  'document',
  'email',
  'phone',
  'to',
  'from',
  'body',
  'text',
  'name',
  'token',
  'authorization',
  'password',
];

/** Lines are written at the latest after this time. If a process is killed, the lines of this time are lost. */
const flushEveryMs = 100;
/** Lines are also written when they have this many bytes together: about 15 lines. */
const flushBytes = 4_096;

/**
 * Standard output for many lines: writes several lines together. A write for each line took a tenth of the CPU time that the API needs
 * for a read. A normal exit writes all lines.
 */
export const openBufferedOutput = (): pino.DestinationStream =>
  pino.destination({ sync: false, minLength: flushBytes, periodicFlush: flushEveryMs });

/** A logger that writes one JSON line per event to standard output, or to `destination`. */
export function createLogger(processName: string, level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    base: { process: processName },
    level,
    redact: { paths: redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return destination ? pino(options, destination) : pino(options);
}
