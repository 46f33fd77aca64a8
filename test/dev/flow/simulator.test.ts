import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('if the parent process disconnects while the test server starts, the simulator and the test server end', async () => {
  const [program, started] = [join(folder, 'server'), join(folder, 'started')];
  const realProgram = process.env['TEMPORAL_TEST_SERVER_PATH'];
  writeFileSync(
    program,
    `#!/bin/sh\necho $$ > ${started}.new && mv ${started}.new ${started}\nexec "${realProgram}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  const child = fork(join(__dirname, '../../../dev/flow/simulator/main.mjs'), [], {
    ...{ execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    env: { ...process.env, TEMPORAL_TEST_SERVER_PATH: program },
  });
  const ended = once(child, 'exit');
  await waitUntil(() => existsSync(started), 60_000);
  child.disconnect();
  expect(await ended).toEqual([0, null]);
  expect(() => process.kill(Number(readFileSync(started, 'utf8')), 0)).toThrow('ESRCH');
});
