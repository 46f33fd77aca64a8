import { rmSync, writeFileSync } from 'node:fs';
import { dataFolder, readJson, writeJson } from './data-folder';
import { partNames } from './part';
import { identify, isRunning, type ProcessIdentity, signal, waitForEnd } from './process-identity';
import type { StackPorts } from './settings';
import { StackError } from './stack-error';

/** What `run/stack.json` says about the stack that runs on a data folder. */
export interface RunningStack {
  supervisor: ProcessIdentity;
  parts: ProcessIdentity[];
  ports: StackPorts;
  stopping: boolean;
}

/** The data folder belongs to this process until it is released. */
export interface Claim {
  /** Saves the processes that a later start ends when this one cannot, and whether this stack is stopping. */
  record(pids: number[], stopping: boolean): void;
  release(): void;
}

/** Postgres writes its last pages; after this it is killed and recovers at its next start. */
const leftoverStopMs = 5_000;
/** API, worker and Postgres stop one after the other, and each is killed after 10 s. */
const stoppingMs = 35_000;

async function endLeftover(identity: ProcessIdentity): Promise<void> {
  signal(identity.pid, 'SIGINT');
  if (await waitForEnd(identity, leftoverStopMs)) return;
  signal(identity.pid, 'SIGKILL');
  await waitForEnd(identity, leftoverStopMs);
}

async function waitForEarlier(
  { supervisor, ports, stopping }: RunningStack,
  dataDir: string,
  tell: (line: string) => void,
) {
  if (!isRunning(supervisor)) return;
  if (!stopping)
    throw new StackError(
      `Countersign already runs on ${dataDir} (process ${supervisor.pid}, http://127.0.0.1:${ports.api}): ` +
        'stop that one first, or start a second one with another DATA_DIR and other ports.',
    );
  tell(`The earlier start on ${dataDir} is still stopping. Waiting for it, at most ${stoppingMs / 1_000} s …`);
  if (await waitForEnd(supervisor, stoppingMs)) return;
  throw new StackError(
    `The earlier start on ${dataDir} did not stop within ${stoppingMs / 1_000} s: end process ${supervisor.pid}, then start again.`,
  );
}

/**
 * Claims a data folder for this process. Waits for an earlier stack that is stopping; throws StackError when one runs or
 * does not stop. Ends the processes of an earlier stack that was killed.
 */
export async function claimDataFolder(
  dataDir: string,
  ports: StackPorts,
  tell: (line: string) => void,
): Promise<Claim> {
  const { runningFile, pidFile } = dataFolder(dataDir);
  const earlier = readJson(runningFile) as RunningStack | undefined;
  if (earlier) await waitForEarlier(earlier, dataDir, tell);
  await Promise.all((earlier?.parts ?? []).filter(isRunning).map(endLeftover));
  rmSync(runningFile, { force: true });
  for (const name of partNames) rmSync(pidFile(name), { force: true });
  const supervisor = identify(process.pid) ?? { pid: process.pid, startedAt: '' };
  const content: RunningStack = { supervisor, parts: [], ports, stopping: false };
  try {
    writeFileSync(runningFile, JSON.stringify(content), { flag: 'wx', mode: 0o600 });
  } catch {
    throw new StackError(`Another start on ${dataDir} was faster: wait for that one.`);
  }
  return {
    record: (pids, stopping) => {
      const parts = pids.map(identify).filter((identity) => identity !== undefined);
      writeJson(runningFile, { ...content, parts, stopping } satisfies RunningStack);
    },
    release: () => rmSync(runningFile, { force: true }),
  };
}
