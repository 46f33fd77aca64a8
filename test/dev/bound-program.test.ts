import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { spawnBound } from '../../dev/stack/bound-program';
import { isRunning } from '../support/is-running';
import { waitUntil } from '../support/wait-until';

const built = path.join(__dirname, '..', '..', 'dist', 'dev', 'stack', 'bound-program.js');
/** The limit of each wait. A wait usually takes milliseconds, but longer on a busy machine. */
const timeoutMs = 60_000;

/** Starts a parent process that starts a program, and prints the process id of the program. */
async function startParent(end: string): Promise<{ kill: (signal: NodeJS.Signals) => void; programPid: number }> {
  const code = `
    const { spawnBound } = require(${JSON.stringify(built)});
    const program = spawnBound('/bin/sh', ['-c', 'trap "" INT TERM HUP; exec sleep 600']);
    process.stdout.write(program.pid + '\\n', () => { ${end} });
  `;
  const parent = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const kill = (signal: NodeJS.Signals) => void process.kill(-(parent.pid ?? 0), signal);
  return { kill, programPid: Number(line) };
}

const untilEnded = (pid: number) => waitUntil(() => !isRunning(pid), timeoutMs);

it.each(['process.exit(0)', 'process.kill(process.pid, "SIGKILL")'])(
  'a program that ignores signals ends when its parent ends by %s',
  async (end) => {
    const { programPid } = await startParent(end);
    await untilEnded(programPid);
  },
);

it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM', 'SIGHUP'])(
  'a program that ignores signals ends when %s ends all other processes of the group',
  async (signal) => {
    const { kill, programPid } = await startParent('');
    kill(signal);
    await untilEnded(programPid);
  },
);

it('a program gets the signals that the guard ignores', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'countersign-bound-'));
  const started = path.join(folder, 'started');
  const program = spawnBound('/bin/sh', ['-c', 'touch "$0"; exec sleep 600', started]);
  await waitUntil(() => existsSync(started), timeoutMs);
  program.kill('SIGHUP');
  expect(await once(program, 'close')).toEqual([null, 'SIGHUP']);
  rmSync(folder, { recursive: true });
});

it('the exit code is that of the program', async () => {
  const program = spawnBound('/bin/sh', ['-c', 'exit $0', '3']);
  expect(await once(program, 'close')).toEqual([3, null]);
  expect(await once(spawnBound('/no/such/program', []), 'close')).toEqual([127, null]);
});
