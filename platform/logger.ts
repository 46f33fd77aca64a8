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
