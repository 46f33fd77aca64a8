import { rmSync } from 'node:fs';
import { claimFolder } from './claim';
import { dataPaths, readJson, writeJson } from './data-folder';
import { componentNames } from './component';
import { identify, isRunning, type ProcessIdentity, sendSignal, waitForEnd } from './process-identity';
import type { StackPorts } from './settings';
import { StackError } from './stack-error';

/** The content of `run/stack.json`: the stack that runs on a data folder. */
export interface RunningStack {
  supervisor: ProcessIdentity;
  processes: ProcessIdentity[];
  ports: StackPorts;
  stopping: boolean;
}

/** Exclusive use of a data folder, until it is released. */
export interface DataFolderLock {
  /** Saves the processes and whether this stack is stopping. If this stack is killed, the next start stops the processes. */
  saveProcesses(pids: number[], stopping: boolean): void;
  release(): void;
}

/** A leftover process has this time to stop. Then it is killed. A killed Postgres recovers at its next start. */
const leftoverStopMs = 5_000;
/** Time for a whole stack to stop. API, worker and Postgres stop one after another, and each takes at most 10 s. */
const stackStopMs = 35_000;

/** Stops a process that a killed stack has left. */
async function stopLeftover(identity: ProcessIdentity): Promise<void> {
  sendSignal(identity.pid, 'SIGINT');
  if (await waitForEnd(identity, leftoverStopMs)) return;
  sendSignal(identity.pid, 'SIGKILL');
  await waitForEnd(identity, leftoverStopMs);
}

/** Waits until an earlier stack on this data folder has stopped. Throws StackError when it is running or does not stop. */
async function waitForEarlierStack(
  { supervisor, ports, stopping }: RunningStack,
  dataDir: string,
  print: (line: string) => void,
) {
  if (!isRunning(supervisor)) return;
  if (!stopping)
    throw new StackError(
      `Countersign already runs on ${dataDir} (process ${supervisor.pid}, http://127.0.0.1:${ports.api}). ` +
        'Stop it first, or start a second one with another DATA_DIR and other ports.',
    );
  print(`The earlier stack on ${dataDir} is still stopping. Waiting at most ${stackStopMs / 1_000} s …`);
  if (await waitForEnd(supervisor, stackStopMs)) return;
  throw new StackError(
    `The earlier stack on ${dataDir} did not stop within ${stackStopMs / 1_000} s. Kill process ${supervisor.pid}, then start again.`,
  );
}

/**
 * Locks a data folder for this process. Waits for an earlier stack that is stopping. Throws StackError when an earlier stack runs
 * or does not stop. Stops the leftover processes of a killed stack.
 */
export async function lockDataFolder(
  dataDir: string,
  ports: StackPorts,
  print: (line: string) => void,
): Promise<DataFolderLock> {
  const { runDir, runningFile, pidFile } = dataPaths(dataDir);
  const readEarlierStack = () => readJson(runningFile) as RunningStack | undefined;
  const knownStack = readEarlierStack();
  if (knownStack) await waitForEarlierStack(knownStack, dataDir, print);
  const supervisor = identify(process.pid) ?? { pid: process.pid, startedAt: '' };
  const endClaim = await claimFolder(runDir, supervisor);
  if (!endClaim) throw new StackError(`Another start on ${dataDir} is in progress. Use that one.`);
  // Another stack may have started and ended before the claim.
  const earlierStack = readEarlierStack();
  await Promise.all((earlierStack?.processes ?? []).filter(isRunning).map(stopLeftover));
  for (const name of componentNames) rmSync(pidFile(name), { force: true });
  const content: RunningStack = { supervisor, processes: [], ports, stopping: false };
  writeJson(runningFile, content);
  return {
    saveProcesses: (pids, stopping) => {
      const processes = pids.map(identify).filter((identity) => identity !== undefined);
      writeJson(runningFile, { ...content, processes, stopping } satisfies RunningStack);
    },
    release: () => {
      rmSync(runningFile, { force: true });
      endClaim();
    },
  };
}
