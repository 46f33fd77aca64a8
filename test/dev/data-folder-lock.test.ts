import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { makeDataFolder } from '../../dev/stack/data-folder';
import { lockDataFolder } from '../../dev/stack/data-folder-lock';

const built = join(__dirname, '..', '..', 'dist', 'dev', 'stack', 'data-folder-lock.js');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
  makeDataFolder(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = (print: (line: string) => void = () => undefined) => lockDataFolder(folder, 3000, print);

/** Starts a process that locks the folder. Returns a function that kills it. */
async function lockInProcess(): Promise<() => Promise<void>> {
  const code = `require(${JSON.stringify(built)}).lockDataFolder(${JSON.stringify(folder)}, 3000, console.log)
    .then(() => console.log('locked'));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: child.stdout }), 'line');
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}

test('of starts at the same time on a new folder, exactly one gets it, and a later one gets it after the release', async () => {
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => lock()));
  const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(locks).toHaveLength(1);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7);
  locks[0]?.release();
  (await lock()).release();
});

test('the lock of another process names this process, and ends when it is killed', async () => {
  const kill = await lockInProcess();
  await expect(lock()).rejects.toThrow(
    /^Countersign already runs on .*countersign-lock-.* \(process \d+, http:.*:3000\)/,
  );
  await kill();
  (await lock()).release();
});

test('a start waits for an earlier stack that is stopping, and says so once', async () => {
  const earlier = await lock();
  earlier.announceStop();
  const lines: string[] = [];
  const later = lock((line) => {
    lines.push(line);
    setTimeout(() => earlier.release(), 300);
  });
  (await later).release();
  expect(lines).toEqual([expect.stringContaining('is still stopping')]);
});

test('if another program uses the port of the lock, the error names the port and the file', async () => {
  (await lock()).release();
  const port = Number(readFileSync(join(folder, 'run', 'lock-port'), 'utf8'));
  const other = createServer((socket) => socket.end('SSH-2.0')).listen(port, '127.0.0.1');
  await once(other, 'listening');
  await expect(lock()).rejects.toThrow(new RegExp(`^Port ${port}, which locks .*lock-port\\.$`));
  other.close();
});
