import { randomUUID } from 'node:crypto';
import { smsToken } from '../../../flows/confirmations';
import { runDeployment } from '../../../worker/deployment/deployment.cli';
import { builtBundle } from '../../../worker/bundle';
import { buildIdOf, type WorkerVersion } from '../../../worker/deployment/versions';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { type TestTransaction, World } from '../../support/world';

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

const done = (text: string | RegExp) => ({ code: 0, output: expect.stringMatching(text) });
const failed = (text: string | RegExp) => ({ code: 1, output: expect.stringMatching(text) });

async function openCode(): Promise<TestTransaction> {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  await transaction.request(smsToken);
  return transaction;
}

test('a version is activated, ramped, drained and rolled back', async () => {
  expect(await run('drain')).toEqual(failed(/^No version is active\. Run: npm run deployment -- activate$/m));
  expect(await run('activate', 'first')).toEqual(done(/^first is active\.$/m));
  expect(await run('activate', 'first')).toEqual(done(/^first is already active\.$/m));
  expect(await run('rollback')).toEqual(failed(/^No earlier version has workers\. /));
  await openCode();
  stopSecond = await world.startOtherWorker({ version: second });
  expect(await run('ramp', 'second', '--percent', '10')).toEqual(done(/^second gets 10 % of the new workflows\.$/m));
  const { output: status } = await run('status');
  expect(status).toMatch(/^build id +status +workers +open workflows +first worker +active since\n/);
  expect(status).toMatch(/\nfirst +active +1 +1 +20/);
  expect(status).toMatch(/^second +ramping \(10 %\) +1 +0 +20/m);
  expect(await run('drain', 'second')).toEqual(failed(/^second is ramping\. End the ramp first: /));
  expect(await run('rollback')).toEqual(
    done(/^No version is ramping\.[^]*\nsecond: 0 of 0 open workflows moved to first\. /),
  );
  expect(await run('activate', 'second')).toEqual(done(/^second is active\.$/m));
  expect(await run('drain')).toEqual(done(/^first: 1 of 1 open workflows moved to second\. Its workers can stop\.$/m));
  expect(await run('rollback')).toEqual(
    done(/^first is active\.\n[^]*second: 0 of 0 open workflows moved to first\. /),
  );
});

test('without a build id, `activate` waits for the workers of this release, even if others run', async () => {
  expect(await run('activate', '--timeout', '0')).toEqual(
    failed(new RegExp(`^There is no version ${buildIdOf(builtBundle.codePath)}\\. Start its workers first\\. `)),
  );
});

test('a drain stops if its version becomes active meanwhile, and says so', async () => {
  await openCode();
  await run('activate', 'second');
  world.activities.beforeSaving = async () => {
    world.activities.beforeSaving = async () => undefined;
    await run('activate', 'first');
  };
  expect(await run('drain')).toEqual(failed(/^Stopped: new workflows start on first again\.$/m));
});

test.each([
  [['deploy'], /^The command is not valid: deploy$/m],
  [['ramp', 'second'], /^Name a version and a share: /],
  [['ramp', 'second', '--percent', '101'], /^Name a version and a share: /],
  [['activate', 'unknown', '--timeout', '0'], /^There is no version unknown\. Start its workers first\. /],
  [['drain', 'unknown'], /^There is no version unknown\. /],
  [['drain', 'first'], /^first is active\. Activate another version first\.$/m],
])('the command %j fails and says why', async (args, message) => {
  await run('activate', 'first');
  expect(await run(...args)).toEqual(failed(message));
});

test('the usage has all commands', async () => {
  expect(await run('--help')).toEqual({ code: 0, output: expect.stringContaining('npm run deployment -- rollback') });
});

test('a version whose workers have just stopped is not activated, although Temporal still counts them', async () => {
  await stopSecond?.();
  stopSecond = undefined;
  expect((await run('status')).output).toMatch(/^second +\w+ +1 /m);
  expect(await run('activate', 'second', '--timeout', '1')).toEqual(
    failed(/^No worker of the version second runs\. /m),
  );
  expect((await run('status')).output).toMatch(/^first +active /m);
}, 60_000);
