import { openSync, readFileSync, renameSync, statSync } from 'node:fs';

/** A log is set aside when it is larger than this at a start of its process; so logs stay below about twice that. */
const logBytesMax = 10_000_000;

/** Opens a log to append to. The earlier one is kept as `….1` when it has grown large. */
export function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log but for stack frames, for the message that tells why a process ended. */
export function readLastLines(file: string, count: number): string {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() && !/^\s+at /.test(line));
    return lines.slice(-count).join('\n');
  } catch {
    return '';
  }
}
