import { randomUUID } from 'node:crypto';
import { smsToken } from '../../../flows/confirmations';
import { runDeployment } from '../../../worker/deployment/deployment.cli';
import type { WorkerVersion } from '../../../worker/deployment/versions';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { World } from '../../support/world';

const deploymentName = `cli-${randomUUID()}`;
const first: WorkerVersion = { deploymentName, buildId: 'first' };
const second: WorkerVersion = { deploymentName, buildId: 'second' };

let postgres: TestPostgres;
let world: World;
let settings: NodeJS.ProcessEnv;
let stopSecond: (() => Promise<void>) | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await World.open('temporal', first);
  settings = {
    DATABASE_URL: await postgres.createDatabase(),
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TEMPORAL_ADDRESS: world.env.address,
    TEMPORAL_TASK_QUEUE: world.taskQueue,
    WORKER_DEPLOYMENT: deploymentName,
    // The transactions of this test are in clear text.
    ENCRYPT_PAYLOADS: 'false',
  };
});
afterAll(async () => {
  await stopSecond?.();
  await world.close();
  await postgres.stop();
});

/** Runs `npm run deployment`. Returns its exit code and its output. */
async function run(...args: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const write = (text: string | Uint8Array) => {
    output += String(text);
    return true;
  };
  const context = { environment: () => settings, stdout: { write }, stderr: { write } };
  return { code: await runDeployment(args, context), output };
}

test('a version is activated, ramped, drained and rolled back', async () => {
  expect(await run('activate')).toEqual({ code: 0, output: expect.stringContaining('first is active.\n') });
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  stopSecond = await world.startOtherWorker({ version: second });
  expect(await run('ramp', 'second', '--percent', '10')).toEqual({
    code: 0,
    output: expect.stringContaining('second gets 10 % of the new workflows.\n'),
  });
  const ramping = await run('status');
  expect(ramping.output).toMatch(/^build id +status +workers +open workflows +first worker +active since\n/);
  expect(ramping.output).toMatch(/\nfirst +active +1 +1 +20/);
  expect(ramping.output).toMatch(/^second +ramping \(10 %\) +1 +0 +20/m);
  expect(await run('activate', 'second')).toEqual({ code: 0, output: 'second is active.\n' });
  expect(await run('activate', 'second')).toEqual({ code: 0, output: 'second is already active.\n' });
  expect(await run('drain')).toEqual({
    code: 0,
    output: expect.stringMatching(/^first: 1 of 1 open workflows moved to second\. Its workers can stop\.\n$/m),
  });
  const { code, output } = await run('rollback');
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('first is active.\n') });
  expect(output).toContain('second: 0 of 0 open workflows moved to first');
});

test.each([
  [['deploy'], /^The command is not valid: deploy$/m],
  [['ramp', 'second'], /^Name a version and a share: /],
  [['ramp', 'second', '--percent', '101'], /^Name a version and a share: /],
  [['activate', 'unknown', '--timeout', '0'], /^There is no version unknown\. Start its workers first\. /],
  [['drain', 'unknown'], /^There is no version unknown\. /],
  [['drain', 'first'], /^first is active\. Activate another version first\.$/m],
])('the command %j fails and says why', async (args, message) => {
  const { code, output } = await run(...args);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(message) });
});

test('the usage has all commands', async () => {
  expect(await run('--help')).toEqual({ code: 0, output: expect.stringContaining('npm run deployment -- rollback') });
});
