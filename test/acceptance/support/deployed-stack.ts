import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { saveClient } from '../../../api/clients/clients';
import { localEnvironment } from '../../../dev/stack/local-secrets';
import { type Stack, startStack } from '../../../dev/stack/stack';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { ApiClient } from './api-client';
import { InboxClient } from './inbox-client';
import { fetchContract } from './openapi-contract';
import { findFreePorts, root } from './test-stack';

/** `homologation`: for tests before production. */
type Environment = 'production' | 'homologation';

/** A stack with the settings of production or homologation. The inbox takes the place of Twilio and of the mail server. */
export interface DeployedStack {
  stack: Stack;
  api: ApiClient;
  inbox: InboxClient;
}

/** What differs from a local stack. */
const settingsOf = (environment: Environment) => ({
  COUNTERSIGN_ENV: environment,
  PUBLIC_URL: 'https://verify.example.com',
});

/** The limit for the build and the first start, on a busy machine. */
const startWithinMs = 240_000;
const stopWithinMs = 30_000;

/** One stack for all tests of a describe block. */
export function shareDeployedStack(environment: Environment): () => DeployedStack {
  const folder = mkdtempSync(join(tmpdir(), `countersign-${environment}-`));
  let deployed: DeployedStack | undefined;
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(root, 'dev', 'build.mjs')], { cwd: root });
    // An API with the setting BOOTSTRAP_CLIENTS starts only with COUNTERSIGN_ENV=local. So the script below clears this setting, and
    // `saveClients` saves the clients.
    const script = join(folder, 'api.cjs');
    const program = JSON.stringify(join(root, 'dist', 'api', 'main.js'));
    writeFileSync(script, `process.env.BOOTSTRAP_CLIENTS = '';\nrequire(${program});`);
    const stack = await startStack({
      dataDir: join(folder, 'data'),
      ports: await findFreePorts(),
      env: settingsOf(environment),
      scripts: { api: script },
    });
    await saveClients(stack);
    const { api, inbox } = stack.addresses;
    deployed = {
      stack,
      api: new ApiClient(api, await fetchContract(api), await stack.token()),
      inbox: new InboxClient(inbox),
    };
  }, startWithinMs);
  afterAll(async () => {
    await deployed?.stack.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }, stopWithinMs);
  return () => {
    if (!deployed) throw new Error('The stack did not start.');
    return deployed;
  };
}

/** Saves the clients of the local secrets file, with all scopes. */
async function saveClients({ addresses, dataDir }: Stack): Promise<void> {
  const { clients } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as {
    clients: { tenant: string; clientId: string; clientSecret: string }[];
  };
  const pool = openPool(addresses.postgres, createLogger('test', 'silent'), 1);
  for (const client of clients) await saveClient(pool, { ...client, scopes: ['*'] });
  await pool.end();
}

/** Starts one more API or worker from `dist/` on the database of a stack. Rejects if the process still runs after 30 s. */
export function runProcess(
  { stack }: DeployedStack,
  name: 'api' | 'worker',
  settings: NodeJS.ProcessEnv,
): Promise<{ code: unknown; output: string }> {
  const env = {
    PATH: process.env['PATH'],
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: '0'.repeat(32),
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: 'smtp://127.0.0.1:1',
    TEMPORAL_ADDRESS: stack.addresses.temporal,
    PORT: '0',
    ...settingsOf('production'),
    ...localEnvironment(stack.dataDir),
    ...settings,
  };
  const script = join(root, 'dist', name, 'main.js');
  return new Promise((resolve, reject) => {
    // After SIGTERM, a process could exit with code 0, as if it had ended by itself before the time limit.
    execFile(process.execPath, [script], { env, timeout: 120_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error?.killed) reject(new Error(`The process still ran after 120 s: ${output}`));
      else resolve({ code: error?.code, output });
    });
  });
}
