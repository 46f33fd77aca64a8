import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import getPort from 'get-port';
import { type Inbox, startInbox } from '../../dev/inbox/start-inbox';
import { openOwnDevServer } from '../support/servers/open-environment';
import { openGuide } from '../support/guide';
import { startPostgres, type TestPostgres } from '../support/postgres';
import { waitUntil } from '../support/wait-until';

// Follows docs/deployment.md with plain processes in production: each command of the guide runs as it is written, on free ports.

const root = path.join(__dirname, '..', '..');
const { codeBlock } = openGuide('deployment.md');
const twilioAccount = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'only-for-tests'.padEnd(32, '-'),
};
/** A start usually takes a few seconds, but longer on a busy machine. */
const readyWithinMs = 90_000;

let postgres: TestPostgres;
let temporal: Awaited<ReturnType<typeof openOwnDevServer>>;
let inbox: Inbox;
let environment: NodeJS.ProcessEnv;
let ports: { api: number; health: number };
const processes: ChildProcess[] = [];

/** The commands of a block, with the free ports of this test in place of those in the guide. */
const commandsOf = (name: string): string =>
  codeBlock(name)
    .replaceAll(/\b3000\b/g, String(ports.api))
    .replaceAll(/\b3002\b/g, String(ports.health));

function run(name: string, variables: NodeJS.ProcessEnv = {}, after = ''): string {
  const { stdout, stderr, status } = spawnSync('bash', ['-ec', `${commandsOf(name)}\n${after}`], {
    cwd: root,
    env: { ...environment, ...variables },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name}: ${stdout}${stderr}`);
  return stdout;
}

function start(name: string): void {
  processes.push(spawn('bash', ['-ec', commandsOf(name)], { cwd: root, env: environment, stdio: 'ignore' }));
}

beforeAll(async () => {
  [temporal, postgres] = await Promise.all([openOwnDevServer(), startPostgres()]);
  ports = { api: await getPort(), health: await getPort() };
  const inboxPorts = { INBOX_PORT: 0, INBOX_SMTP_PORT: 0, INBOX_HOST: '127.0.0.1', INBOX_DATA_DIR: undefined };
  inbox = await startInbox(
    { ...twilioAccount, ...inboxPorts, INBOUND_WEBHOOK_URL: 'http://127.0.0.1:9' },
    { timing: { retryPausesMs: [] }, log: () => undefined },
  );
  environment = {
    // oxlint-disable-next-line node/no-process-env -- programs need PATH
    PATH: process.env['PATH'],
    ...twilioAccount,
    COUNTERSIGN_ENV: 'production',
    PUBLIC_URL: 'https://verify.example.com',
    PORT: String(ports.api),
    DATABASE_URL: await postgres.createDatabase(),
    TEMPORAL_ADDRESS: temporal.address,
    TWILIO_BASE_URL: inbox.url,
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: inbox.smtpUrl,
    MX_TIMEOUT_MS: '0',
  };
  environment['SERVICE_KEY'] = run('key').trim();
});

afterAll(async () => {
  for (const child of processes) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  await inbox.stop();
  await postgres.stop();
  await temporal.teardown();
});

test('the guide leads from nothing to the first confirmed person', async () => {
  expect(run('migrate')).toMatch(/The schema is up to date\.\n$/);
  start('worker');
  start('api');
  await waitUntil(() => {
    try {
      return run('ready') === '{"status":"ready"}\n{"status":"ready"}\n';
    } catch {
      // The API does not listen yet.
      return false;
    }
  }, readyWithinMs);
  expect(run('status')).toMatch(/^\w+ +active +1 /m);
  const client = run('client');
  const [, CLIENT_ID] = /client id: *(\S+)/.exec(client) ?? [];
  const [, CLIENT_SECRET] = /client secret: *(\S+)/.exec(client) ?? [];
  const variables = { CLIENT_ID, CLIENT_SECRET, API: `http://127.0.0.1:${ports.api}`, NUMBER: '912345678' };
  const created = run('create', variables, 'echo "$TOKEN $ID"');
  expect(created).toContain('"status":"Waiting"');
  const [TOKEN, ID] = created.trim().split('\n').at(-1)?.split(' ') ?? [];
  const response = await fetch(`${inbox.url}/api/messages?to=%2B5511912345678&channel=sms`);
  const [message] = (await response.json()) as { text: string }[];
  const [CODE] = /\d{6}/.exec(message?.text ?? '') ?? [];
  const validated = run('validate', { ...variables, TOKEN, ID, CODE });
  expect(validated).toMatch(/"status":"Valid"[\s\S]*"status":"Confirmed"/);
}, 300_000);
