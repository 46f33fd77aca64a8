import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../support/is-running';
import { waitUntil } from '../../support/wait-until';
import { Simulator } from '../../../dev/flow/simulator/simulator';

/**
 * A simulator process that answers with the name of the flow: for `slow` after 1 s, for `never` not at all. It ends 200 ms after a
 * disconnect.
 */
const script = `
process.on('message', ({ id, request: { name } }) => {
  if (name !== 'never') setTimeout(() => process.send({ id, error: name }), name === 'slow' ? 1_000 : 0);
});
process.on('disconnect', () => setTimeout(() => process.exit(0), 200));
`;

const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
const path = join(folder, 'main.mjs');
writeFileSync(path, script);
const simulator = new Simulator(path);
afterEach(() => {
  jest.restoreAllMocks();
  simulator.stop();
});
afterAll(() => rmSync(folder, { recursive: true }));

const simulate = (name: string) => simulator.simulate({ name, text: '', person: '' });

it('after a stop, the calls of the old process are rejected, and the calls of the next process are answered', async () => {
  const lost = simulate('never').catch(String);
  simulator.stop();
  expect(await simulate('slow')).toEqual({ error: 'slow' });
  expect(await lost).toContain('The simulator ended with 0');
});

it('after calls that end together, only one timer remains, which stops the unused simulator process', async () => {
  await simulate('first');
  const [set, clear] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
  const answers = Promise.all(['a', 'b', 'c'].map(simulate));
  // Blocks this process, so that all answers arrive before it reads the first.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  await answers;
  // A simulator process stops after 300,000 ms without a call.
  const idleTimers = set.mock.results.filter((_, index) => set.mock.calls[index]?.[1] === 300_000);
  const cleared = new Set(clear.mock.calls.map(([timer]) => timer));
  expect(idleTimers.filter(({ value }) => !cleared.has(value))).toHaveLength(1);
});

/** Starts a simulator whose test server never answers, as on a very busy machine. `serverPid`: waits for the process id of the server. */
function startHangingSimulator(name: string): { child: ChildProcess; serverPid: () => Promise<number> } {
  const [program, pidFile] = [join(folder, name), join(folder, `${name}.pid`)];
  writeFileSync(program, `#!/bin/sh\necho $$ > ${pidFile}.new && mv ${pidFile}.new ${pidFile}\nexec sleep 600\n`, {
    mode: 0o755,
  });
  const child = fork(join(__dirname, '../../../dev/flow/simulator/main.mjs'), [], {
    ...{ execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    env: { ...process.env, TEMPORAL_TEST_SERVER_PATH: program },
  });
  const serverPid = async () => Number(await waitUntil(() => existsSync(pidFile) && readFileSync(pidFile), 60_000));
  return { child, serverPid };
}

const hasEnded = (pid: number) => !isRunning(pid);

it('if the parent process disconnects while the test server starts, the simulator and the test server end', async () => {
  const { child, serverPid } = startHangingSimulator('disconnected');
  const ended = once(child, 'exit');
  const pid = await serverPid();
  child.disconnect();
  expect(await ended).toEqual([0, null]);
  await waitUntil(() => hasEnded(pid), 60_000);
});

it('if the simulator is killed while the test server starts, the test server ends', async () => {
  const { child, serverPid } = startHangingSimulator('killed');
  const pid = await serverPid();
  child.kill('SIGKILL');
  await waitUntil(() => hasEnded(pid), 60_000);
});

it('if the parent process disconnects while the simulator loads its code, the simulator ends', async () => {
  const { child } = startHangingSimulator('never-started');
  const ended = once(child, 'exit');
  child.disconnect();
  expect(await ended).toEqual([0, null]);
});
