import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..', '..', '..');
const runNode = (...args: string[]) =>
  spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    env: { ...process.env, INIT_CWD: root },
  });

test('simulate prints only the simulation, and no output of its server', () => {
  const { status, stdout, stderr } = runNode(
    'dev/flow.mjs',
    'simulate',
    'flows/examples/phone-only.flow.ts',
    '--person',
    'enters the code by sms',
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\nThe run ended as Confirmed after .*\n$/);
});

test('dev/flow.mjs prints the errors of the command, and exits with the exit code of the command', () => {
  const { status, stdout, stderr } = runNode('dev/flow.mjs', 'test', 'none.json');
  expect([status, stdout, stderr]).toEqual([2, '', 'none.json does not exist.\n']);
});
