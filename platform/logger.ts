import pino from 'pino';
import { defineCounter } from './telemetry/metrics';
import { currentTraceFields } from './telemetry/spans';

export type Logger = pino.Logger;

/** Fields whose values are hidden in every log line. This is a second protection: the code logs only chosen fields anyway. */
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

/** Lines are written after this time at the latest. If a process is killed, the lines of the last `flushEveryMs` are lost. */
const flushEveryMs = 100;
/** Lines are also written when together they have this many bytes, which are about 15 lines. */
const flushBytes = 4_096;

/**
 * Standard output for processes that log much: writes several lines together. With one write for each line, the writes took a tenth of the
 * CPU time of a GET request. A normal exit writes all lines.
 */
export const openBufferedOutput = (): pino.DestinationStream =>
  pino.destination({ sync: false, minLength: flushBytes, periodicFlush: flushEveryMs });

/** The levels of pino that are counted, with their names. */
const countedLevels: Readonly<Record<number, string>> = { 40: 'warn', 50: 'error', 60: 'fatal' };

const linesCounter = defineCounter('countersign.log.lines', {
  description: 'Warnings and errors in the log',
  fromZero: Object.values(countedLevels).map((level) => ({ level })),
});

/** A logger that writes one JSON line per event to standard output, or to `destination`. */
export function createLogger(processName: string, level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    base: { process: processName },
    level,
    redact: { paths: redactedFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: currentTraceFields,
    hooks: {
      logMethod(args, method, level) {
        const name = countedLevels[level];
        if (name) linesCounter.add(1, { level: name });
        method.apply(this, args);
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * The name of an error for logs: the code of the error, if this code is a text. If not, the name of its class, with the gRPC status if
 * there is one. It is never the message, because messages may contain personal data.
 */
export function errorName(error: unknown): string {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  if (typeof code === 'string') return code;
  if (typeof name !== 'string') return 'unknown';
  const status = code ?? cause?.code;
  return typeof status === 'number' ? `${name} ${status}` : name;
}
