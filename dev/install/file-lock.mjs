import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

function holderIsRunning(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

function acquire(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Runs `body` while holding a lock file. The lock of a process that has ended is taken over. */
export async function withFileLock(file, body) {
  mkdirSync(dirname(file), { recursive: true });
  while (!acquire(file)) {
    await sleep(200);
    if (!holderIsRunning(file)) rmSync(file, { force: true });
  }
  try {
    return await body();
  } finally {
    rmSync(file, { force: true });
  }
}
