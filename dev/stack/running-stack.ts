import { rmSync, writeFileSync } from 'node:fs';
import { dataFolder, readJson, writeJson } from './data-folder';
import { partNames } from './part';
import { identify, isRunning, type ProcessIdentity, signal, waitForEnd } from './process-identity';
import type { StackPorts } from './settings';
import { StackError } from './stack-error';

/** What `run/stack.json` tells about the stack that runs on a data folder. */
export interface RunningStack {
  supervisor: ProcessIdentity;
  parts: ProcessIdentity[];
  ports: StackPorts;
}

/** Postgres writes its last pages; after this it is killed and recovers at its next start. */
const leftoverStopMs = 5_000;

async function endLeftover(identity: ProcessIdentity): Promise<void> {
  signal(identity.pid, 'SIGINT');
  if (await waitForEnd(identity, leftoverStopMs)) return;
  signal(identity.pid, 'SIGKILL');
  await waitForEnd(identity, leftoverStopMs);
}

/**
 * Claims a data folder for this process. Throws StackError when a stack runs on it. What an earlier supervisor left
 * behind when everything that watched it was killed is ended here.
 */
export async function claimDataFolder(dataDir: string, ports: StackPorts): Promise<void> {
  const folder = dataFolder(dataDir);
  const earlier = readJson(folder.runningFile) as RunningStack | undefined;
  if (earlier && isRunning(earlier.supervisor)) {
    throw new StackError(
      `Countersign already runs on ${dataDir} (process ${earlier.supervisor.pid}, http://127.0.0.1:${earlier.ports.api}): ` +
        'stop that one first, or start a second one with another DATA_DIR and other ports.',
    );
  }
  await Promise.all((earlier?.parts ?? []).filter(isRunning).map(endLeftover));
  rmSync(folder.runningFile, { force: true });
  for (const name of partNames) rmSync(folder.pidFile(name), { force: true });
  const supervisor = identify(process.pid) ?? { pid: process.pid, startedAt: '' };
  const content: RunningStack = { supervisor, parts: [], ports };
  try {
    writeFileSync(folder.runningFile, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new StackError(`Another start on ${dataDir} was faster: wait for that one.`);
  }
}

/** Keeps the list of processes that a later start ends when this one cannot. */
export function recordRunning(dataDir: string, ports: StackPorts, pids: number[]): void {
  const supervisor = identify(process.pid) ?? { pid: process.pid, startedAt: '' };
  const parts = pids.map(identify).filter((identity) => identity !== undefined);
  writeJson(dataFolder(dataDir).runningFile, { supervisor, parts, ports } satisfies RunningStack);
}

/** Gives the data folder back. */
export function releaseDataFolder(dataDir: string): void {
  rmSync(dataFolder(dataDir).runningFile, { force: true });
}
