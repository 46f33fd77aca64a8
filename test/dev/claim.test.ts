import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder } from '../../dev/stack/claim';
import { identify, type ProcessIdentity } from '../../dev/stack/process-identity';
import { lockDataFolder } from '../../dev/stack/running-stack';
import { makeDataFolder, writeJson } from '../../dev/stack/data-folder';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-claim-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A running process, for which a test claims the folder. */
function startProcess(): { owner: ProcessIdentity; end: () => Promise<void> } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  children.push(child);
  const owner = identify(child.pid ?? 0);
  if (!owner) throw new Error('The process has ended.');
  const end = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { owner, end };
}

test('of processes that claim a folder at the same time, at most one gets it, and a later one gets it after the release', async () => {
  const owners = Array.from({ length: 4 }, () => startProcess().owner);
  const releases = (await Promise.all(owners.map((owner) => claimFolder(folder, owner)))).filter(Boolean);
  expect(releases.length).toBeLessThanOrEqual(1);
  for (const release of releases) release?.();
  const release = await claimFolder(folder, owners[0] as ProcessIdentity);
  expect(release).toBeDefined();
  release?.();
  expect(readdirSync(folder)).toEqual([]);
});

test('the claim of a process that was killed does not count', async () => {
  const { owner, end } = startProcess();
  await claimFolder(folder, owner);
  const other = startProcess().owner;
  expect(await claimFolder(folder, other)).toBeUndefined();
  await end();
  expect(await claimFolder(folder, other)).toBeDefined();
});

test('two starts on the folder of a killed stack do not both get its lock', async () => {
  makeDataFolder(folder);
  const ports = { api: 1, inbox: 2, temporal: 3, temporalUi: 4, postgres: 5 };
  const killed = { supervisor: { pid: 999_999_999, startedAt: 'never' }, processes: [], ports, stopping: false };
  writeJson(join(folder, 'run', 'stack.json'), killed);
  // Another start has claimed the folder, and has not yet written its own file.
  const release = await claimFolder(join(folder, 'run'), startProcess().owner);
  await expect(lockDataFolder(folder, ports, () => undefined)).rejects.toThrow('Another start');
  release?.();
  (await lockDataFolder(folder, ports, () => undefined)).release();
});
