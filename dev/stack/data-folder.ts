import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The local stack cannot start or continue. The message says why and what to do. */
export class StackError extends Error {
  override name = 'StackError';
}

/** If a log is larger than this when its process starts, the process starts a new log. */
const logBytesMax = 10_000_000;

/** Paths of all files below DATA_DIR. */
export function dataPaths(dataDir: string) {
  return {
    logFile: (name: string) => join(dataDir, 'log', `${name}.log`),
    runDir: join(dataDir, 'run'),
    /** A JSON file. Its content is a `RunningStack`. */
    runningFile: join(dataDir, 'run', 'stack.json'),
    /** The number of the port that the process of the stack listens on, so that no other process uses the folder. */
    lockFile: join(dataDir, 'run', 'lock-port'),
    secretsFile: join(dataDir, 'secrets.json'),
    /** The ids of the webhooks that send events to the inbox, by tenant. */
    webhooksFile: join(dataDir, 'webhooks.json'),
    temporalFile: join(dataDir, 'temporal.db'),
    inboxDir: join(dataDir, 'inbox'),
    postgresDir: join(dataDir, 'postgres'),
    imagesDir: join(dataDir, 'images'),
  };
}

/** Creates the folders that every start needs. Only this user can read them. */
export function makeDataFolder(dataDir: string): void {
  for (const folder of [dataDir, join(dataDir, 'log'), dataPaths(dataDir).runDir]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  }
}

/** Reads a JSON file; undefined when it is missing or incomplete after a crash. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a JSON file atomically. Only this user can read the file. */
export function writeJson(file: string, content: unknown): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, file);
}

/** Opens a log for appending. If the log is larger than `logBytesMax`, renames it to `….1` and starts a new log. */
export function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

/** The last lines of a log without stack frames, for error messages. */
export function readLastLines(file: string, count: number): string {
  const isShown = (line: string) => line.trim() && !/^\s+at /.test(line);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').filter(isShown).slice(-count).join('\n');
}
