import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, linkSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths, StackError } from './data-folder';
import { findFreePort } from './free-port';

/** Exclusive use of a data folder, until it is released or this process ends. */
export interface DataFolderLock {
  /** A later start then waits for the release. */
  announceStop(): void;
  release(): void;
}

/** What the process that has the lock answers to everybody who connects to its port. */
interface Holder {
  folder: string;
  pid: number;
  apiPort: number;
  isStopping: boolean;
}

/** Time for a whole stack to stop. API, worker and Postgres stop one after another, and each takes at most 10 s. */
const stackStopMs = 35_000;
/** Time for the answer of the process that has the lock. On a busy machine, it can take seconds. */
const answerMs = 5_000;

/**
 * The port of the lock. The first start chooses it and never changes it: the link creates the file with its content, or fails if the file
 * exists. So starts at the same time read the same port.
 */
async function readLockPort(file: string): Promise<number> {
  if (!existsSync(file)) {
    const partial = `${file}.${randomUUID()}`;
    writeFileSync(partial, String(await findFreePort()), { mode: 0o600 });
    try {
      linkSync(partial, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(partial);
    }
  }
  return Number(readFileSync(file, 'utf8'));
}

/** Undefined if nobody answers, or another program. */
async function askHolder(port: number): Promise<Holder | undefined> {
  const socket = connect({ port, host: '127.0.0.1', signal: AbortSignal.timeout(answerMs) });
  try {
    return JSON.parse(await text(socket)) as Holder;
  } catch {
    return undefined;
  }
}

/** Why this process cannot lock the folder, and what to do. `other`: the process that has the lock; undefined if it is no stack. */
function describe(other: Holder | undefined, dataDir: string, port: number): string {
  if (!other)
    return `Port ${port}, which locks ${dataDir}, is used by another program. Stop that program, or remove ${dataPaths(dataDir).lockFile}.`;
  if (other.isStopping)
    return `The earlier stack on ${dataDir} did not stop within ${stackStopMs / 1_000} s. Kill process ${other.pid}, then start again.`;
  return (
    `Countersign already runs on ${dataDir} (process ${other.pid}, http://127.0.0.1:${other.apiPort}). ` +
    'Stop it first, or start a second one with another DATA_DIR and other ports.'
  );
}

/**
 * Locks a data folder for this process: this process listens on the port of the folder. The operating system gives a port to one process at
 * a time, and frees it when the process ends in any way. Waits for an earlier stack that is stopping. Throws StackError if another stack
 * runs or does not stop.
 */
export async function lockDataFolder(
  dataDir: string,
  apiPort: number,
  print: (line: string) => void,
): Promise<DataFolderLock> {
  const port = await readLockPort(dataPaths(dataDir).lockFile);
  const holder: Holder = { folder: realpathSync(dataDir), pid: process.pid, apiPort, isStopping: false };
  const server = createServer((socket) => socket.on('error', () => undefined).end(JSON.stringify(holder)));
  let isWaiting = false;
  for (const startedAtMs = Date.now(); ; await sleep(50)) {
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      server.unref();
      return { announceStop: () => void (holder.isStopping = true), release: () => void server.close() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
    const answer = await askHolder(port);
    const other = answer?.folder === holder.folder ? answer : undefined;
    const limitMs = !other ? answerMs : other.isStopping ? stackStopMs : 0;
    if (Date.now() - startedAtMs >= limitMs) throw new StackError(describe(other, dataDir, port));
    if (!other || isWaiting) continue;
    isWaiting = true;
    print(`The earlier stack on ${dataDir} is still stopping. Waiting at most ${stackStopMs / 1_000} s …`);
  }
}
