import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type Inbox, startInbox } from '../../dev/inbox/start-inbox';
import { smsToken } from '../../flows/confirmations';
import { createFilesStore } from '../../images/object-stores';
import { createSealedImages } from '../../images/sealed-images';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import * as contract from '../../workflows/contract/commands';
import { FakeFaceVerifier } from '../acceptance/support/face-verifier';
import { openOwnDevServer } from '../support/servers/open-environment';
import { waitUntil } from '../support/wait-until';
import { propose, testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { submitImages, captureImages } from '../support/capture-images';

const twilioAccount = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'only-for-tests' };
const taskQueue = 'sigterm';
/** The time that an orchestrator allows for a stop. */
const stopWithinMs = 10_000;
/** The limit of each wait. A wait usually takes a few seconds, but longer on a busy machine. */
const timeoutMs = 60_000;

const imagesDir = mkdtempSync(path.join(tmpdir(), 'countersign-sigterm-'));
const verifier = new FakeFaceVerifier();
let env: TestWorkflowEnvironment;
let postgres: TestPostgres;
let pool: Pool;
let inbox: Inbox;
const startedWorkers: ChildProcess[] = [];
let startWorker: (settings?: NodeJS.ProcessEnv) => ChildProcess;

beforeAll(async () => {
  env = await openOwnDevServer();
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, createLogger('test', 'silent'));
  const ports = { INBOX_PORT: 0, INBOX_SMTP_PORT: 0, INBOX_HOST: '127.0.0.1', INBOX_DATA_DIR: undefined };
  inbox = await startInbox(
    { ...twilioAccount, ...ports, INBOUND_WEBHOOK_URL: 'http://127.0.0.1:9' },
    { timing: { retryPausesMs: [] }, log: () => undefined },
  );
  const environment = {
    ...twilioAccount,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: env.address,
    TEMPORAL_TASK_QUEUE: taskQueue,
    // `testKeys` also come from this service key.
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TWILIO_BASE_URL: inbox.url,
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: inbox.smtpUrl,
    IMAGES_DIR: imagesDir,
    MX_TIMEOUT_MS: '0',
    FACE_VERIFIER_URL: await verifier.start(),
    FACE_VERIFIER_TIMEOUT_MS: '60000',
  };
  const program = path.join(__dirname, '..', '..', 'dist', 'worker', 'main.js');
  startWorker = (settings) => {
    const worker = spawn(process.execPath, [program], {
      env: { ...process.env, ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    startedWorkers.push(worker);
    return worker;
  };
});
afterAll(async () => {
  // After a failed test, a worker may still run.
  for (const worker of startedWorkers) worker.kill('SIGKILL');
  await pool.end();
  await inbox.stop();
  await verifier.stop();
  await postgres.stop();
  await env.teardown();
  rmSync(imagesDir, { recursive: true });
});

async function stopWorker(worker: ChildProcess): Promise<{ code: unknown; inTime: boolean }> {
  const startedAt = Date.now();
  const exitEvent = once(worker, 'exit');
  worker.kill('SIGTERM');
  const [code] = (await exitEvent) as [unknown];
  return { code, inTime: Date.now() - startedAt < stopWithinMs };
}

const readSendState = async (id: string) =>
  (await pool.query<{ state: string }>('select state from sends where transaction_id = $1', [id])).rows[0]?.state;

const readMessages = async () => (await (await fetch(`${inbox.url}/api/messages`)).json()) as object[];

it('a worker stops in time on SIGTERM, and the next worker repeats the interrupted activities, but sends no second message', async () => {
  const id = randomUUID();
  verifier.isHanging = true;
  const firstWorker = startWorker();
  const images = createSealedImages(pool, testKeys, createFilesStore(imagesDir));
  const transactionKeys = new TransactionKeys(pool, testKeys.serviceKeys);
  const handle = await captureImages({ pool, connection: env.connection, transactionKeys, taskQueue, images }, id);
  await submitImages(handle);
  await waitUntil(() => verifier.receivedRequests.length === 1, timeoutMs);
  const faults = JSON.stringify([{ channel: 'sms', kind: 'acceptThenHang' }]);
  await fetch(`${inbox.url}/api/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: faults,
  });
  const pendingUpdate = handle.executeUpdate(contract.requestConfirmation, {
    args: [propose(smsToken, id), { fingerprint: 'f', rememberResponse: false }],
  });
  await waitUntil(async () => (await readMessages()).length === 1, timeoutMs);
  expect(await stopWorker(firstWorker)).toEqual({ code: 0, inTime: true });

  verifier.release();
  const secondWorker = startWorker();
  await pendingUpdate;
  await waitUntil(() => verifier.receivedRequests.length === 2, timeoutMs);
  await waitUntil(async () => (await readSendState(id)) === 'accepted', timeoutMs);
  expect(await readMessages()).toHaveLength(1);
  expect(await stopWorker(secondWorker)).toEqual({ code: 0, inTime: true });
});

it('a worker with an invalid scoring policy stops and logs the file and the mistake', async () => {
  const folder = path.join(imagesDir, 'policies');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'acme.json'), '{"bsae": 1}');
  const { stdout } = startWorker({ SCORING_POLICIES: folder });
  if (!stdout) throw new Error('The worker has no output.');
  const lastLine = (await text(stdout)).trim().split('\n').at(-1) ?? '';
  expect(JSON.parse(lastLine)).toMatchObject({
    level: 60,
    failure: expect.stringMatching(/acme\.json.*bsae.*did you mean base/s),
  });
});
