import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity';

/** How often a process tries again when another process claims the folder at the same time. */
const attemptsMax = 10;
/** The longest pause before the next attempt. It is random, so that one of two processes is first. */
const pauseMaxMs = 100;

const prefix = 'claim-';

/** The name of a claim has the process, so that a claim needs no content, and is complete as soon as it exists. */
const nameOf = ({ pid, startedAt }: ProcessIdentity) => `${prefix}${pid}-${encodeURIComponent(startedAt)}`;

function processOf(name: string): ProcessIdentity {
  const [pid = '', ...startedAt] = name.slice(prefix.length).split('-');
  return { pid: Number(pid), startedAt: decodeURIComponent(startedAt.join('-')) };
}

/** Removes the claims of ended processes. Returns whether another running process claims the folder. */
function isClaimedByOther(folder: string, ownName: string): boolean {
  const others = readdirSync(folder).filter((name) => name.startsWith(prefix) && name !== ownName);
  return (
    others.filter((name) => {
      if (isRunning(processOf(name))) return true;
      rmSync(join(folder, name), { force: true });
      return false;
    }).length > 0
  );
}

/**
 * Claims a folder for a process, and returns a function that ends the claim. Undefined if another running process claims the folder. The
 * claim also ends when the process ends.
 *
 * Two processes never claim a folder together: each first adds its claim, and then looks for others. So the one that was second sees the
 * claim of the first. No process removes the claim of a running process.
 */
export async function claimFolder(folder: string, owner: ProcessIdentity): Promise<(() => void) | undefined> {
  const name = nameOf(owner);
  const release = () => rmSync(join(folder, name), { force: true });
  for (let attempt = 1; ; attempt += 1) {
    writeFileSync(join(folder, name), '', { mode: 0o600 });
    if (!isClaimedByOther(folder, name)) return release;
    release();
    if (attempt === attemptsMax) return undefined;
    await sleep(Math.random() * pauseMaxMs);
  }
}
