import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runWithProgress } from './progress.mjs';

/** Creates the lock file with the id of this process. If it exists, and its process has ended, removes it. Returns whether it was created. */
function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(file, { force: true });
  }
  return false;
}

/**
 * Creates a lock file, runs `action`, removes the lock file, and returns the result of `action`. If another process has the lock file,
 * waits until the other process removes it or ends.
 */
export async function withFileLock(file, action) {
  mkdirSync(dirname(file), { recursive: true });
  const wait = async () => {
    while (!acquire(file)) await sleep(200);
  };
  if (!acquire(file)) await runWithProgress('Waiting for another command, which prepares the same', wait);
  try {
    return await action();
  } finally {
    rmSync(file, { force: true });
  }
}
