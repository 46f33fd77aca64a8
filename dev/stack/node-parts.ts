import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import { isOk, type Part } from './part';
import { isElsewhere, postgresAddress, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { temporalNamespace } from './temporal-part';

/** Ports nobody types, chosen by the stack. */
export interface InternalPorts {
  smtp: number;
  workerHealth: number;
}

/** Requests, activities and local records in flight are finished within this; what is not, Temporal runs again. */
const stopWithinMs = 10_000;

/**
 * Pixels lie outside the heap of Node, in memory that the C library keeps for later unless it is told otherwise: with
 * these, twenty images at once leave some 100 MB less behind. The image of the service sets the same.
 */
const leanMemory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

function sharedEnvironment(settings: StackSettings, secrets: LocalSecrets): NodeJS.ProcessEnv {
  const { ports, environment, publicUrl, dataDir } = settings;
  return {
    DATABASE_URL: postgresAddress(ports.postgres, secrets.postgresPassword),
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: temporalNamespace(settings),
    SERVICE_KEY: secrets.serviceKey,
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    IMAGES_DIR: dataFolder(dataDir).imagesDir,
    ...leanMemory,
    ...environment,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
  };
}

/** Every tenant's events go to the inbox, which plays the callers' servers too. */
function localWebhooks({ clients, webhookSecret: secret }: LocalSecrets, inbox: string): NodeJS.ProcessEnv {
  const webhooks = clients.map(({ tenant }) => [tenant, { url: `${inbox}/webhooks/${tenant}`, secret }] as const);
  return { WEBHOOKS: JSON.stringify(Object.fromEntries(webhooks)) };
}

/** The parts of the stack that are scripts of this checkout: inbox, worker, API. */
export function nodeParts(settings: StackSettings, secrets: LocalSecrets, inner: InternalPorts): Part[] {
  const { ports, root, dataDir, scripts } = settings;
  const local = (port: number, path: string) => `http://127.0.0.1:${port}${path}`;
  const shared = sharedEnvironment(settings, secrets);
  const webhooks = isElsewhere.inbox(settings) ? {} : localWebhooks(secrets, local(ports.inbox, ''));
  const part = (
    name: 'inbox' | 'worker' | 'api',
    isReady: Part['isReady'],
    after: Part['after'],
    environment: NodeJS.ProcessEnv,
  ): Part => ({
    name,
    after,
    command: () => {
      const script = scripts[name] ?? join(root, 'dist', ...(name === 'inbox' ? ['dev'] : []), name, 'main.js');
      if (!existsSync(script)) throw new StackError(`${script} is missing: run \`npm run build\`.`);
      const preload = name === 'worker' ? ['--require', join(root, 'dist', 'worker', 'without-stack-traces.js')] : [];
      return { file: process.execPath, args: ['--enable-source-maps', ...preload, script], environment };
    },
    isReady,
    stopSignal: 'SIGTERM',
    stopWithinMs,
  });
  const inbox = part('inbox', () => isOk(local(ports.inbox, '/api/messages')), [], {
    ...webhooks,
    ...shared,
    INBOX_PORT: String(ports.inbox),
    INBOX_HOST: '127.0.0.1',
    INBOX_SMTP_PORT: String(inner.smtp),
    INBOX_DATA_DIR: dataFolder(dataDir).inboxDir,
    // The public address, because the signature that the API checks is made for it.
    INBOUND_WEBHOOK_URL: new URL('/webhooks/twilio/inbound', settings.publicUrl).href,
  });
  const worker = part('worker', () => isOk(local(inner.workerHealth, '/health/ready')), ['postgres', 'temporal'], {
    TWILIO_BASE_URL: local(ports.inbox, ''),
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: `smtp://127.0.0.1:${inner.smtp}`,
    // The same scores on every machine, whether or not it has DNS and the mail domains of its tests exist.
    MX_TIMEOUT_MS: '0',
    ...webhooks,
    ...shared,
    WORKER_HEALTH_PORT: String(inner.workerHealth),
  });
  const clients = secrets.clients.map((client) => ({ ...client, scopes: ['*'] }));
  // Programs take an API that is ready for a service that is: it must not answer before a worker completes its tasks.
  const api = part('api', () => isOk(local(ports.api, '/health/ready')), ['worker'], {
    // The callers of a local stack are its owner's scripts and tests, which may hurry.
    RATE_LIMIT_PER_SECOND: '0',
    ...shared,
    PORT: String(ports.api),
    HOST: '127.0.0.1',
    BOOTSTRAP_CLIENTS: JSON.stringify(clients),
  });
  return isElsewhere.inbox(settings) ? [worker, api] : [inbox, worker, api];
}
