import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultMetricsPort } from '../../platform/shared-settings';
import { isOk, type Component } from './component';
import { dataPaths, StackError } from './data-folder';
import { type LocalSecrets, secretVariables } from './local-secrets';
import { isExternal, type StackSettings } from './settings';
import { temporalNamespace } from './temporal-component';

/**
 * Time for a process to stop. Most requests, activities and saves finish within this time. Temporal repeats activities that do not finish.
 */
const stopWithinMs = 10_000;

/**
 * Decoded images are outside the heap of Node, and by default the C library does not return their memory to the operating system. With
 * these settings, a process needs about 100 MB less after twenty parallel images. The Dockerfile has the same settings.
 */
const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

const sharedEnvironment = (settings: StackSettings, secrets: LocalSecrets): NodeJS.ProcessEnv => ({
  ...secretVariables(settings.ports, secrets),
  TEMPORAL_ADDRESS: `127.0.0.1:${settings.ports.temporal}`,
  TEMPORAL_NAMESPACE: temporalNamespace(settings),
  TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
  TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
  IMAGES_DIR: dataPaths(settings.dataDir).imagesDir,
  ...memorySettings,
  // Without DNS lookups, scores are the same on every machine.
  MX_TIMEOUT_MS: '0',
  ...settings.environment,
  DATA_DIR: settings.dataDir,
  PUBLIC_URL: settings.publicUrl,
});

/** The components that are scripts of this checkout: inbox, worker, API. No user has to know the internal ports. */
export function nodeComponents(
  settings: StackSettings,
  secrets: LocalSecrets,
  internalPorts: { smtp: number; workerHealth: number },
): Component[] {
  const { ports, root, dataDir, scripts } = settings;
  const localUrl = (port: number, path: string) => `http://127.0.0.1:${port}${path}`;
  const sharedVariables = sharedEnvironment(settings, secrets);
  const createComponent = (
    name: 'inbox' | 'worker' | 'api',
    readyUrl: string,
    environment: NodeJS.ProcessEnv,
  ): Component => ({
    name,
    command: () => {
      const script = scripts[name] ?? join(root, 'dist', ...(name === 'inbox' ? ['dev'] : []), name, 'main.js');
      if (!existsSync(script)) throw new StackError(`${script} is missing: run \`npm run build\`.`);
      const preload = name === 'worker' ? ['--require', join(root, 'dist', 'worker', 'without-stack-traces.js')] : [];
      return { file: process.execPath, args: ['--enable-source-maps', ...preload, script], environment };
    },
    isReady: () => isOk(readyUrl),
    stopSignal: 'SIGTERM',
    stopWithinMs,
  });
  const inbox = createComponent('inbox', localUrl(ports.inbox, '/api/messages'), {
    ...sharedVariables,
    INBOX_PORT: String(ports.inbox),
    INBOX_HOST: '127.0.0.1',
    INBOX_SMTP_PORT: String(internalPorts.smtp),
    INBOX_DATA_DIR: dataPaths(dataDir).inboxDir,
    // The inbox sends replies to this URL, and signs the URL. The API checks the signature against its public URL, so this URL must start
    // with PUBLIC_URL.
    INBOUND_WEBHOOK_URL: new URL('/webhooks/twilio/inbound', settings.publicUrl).href,
  });
  const worker = createComponent('worker', localUrl(internalPorts.workerHealth, '/health/ready'), {
    TWILIO_BASE_URL: localUrl(ports.inbox, ''),
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: `smtp://127.0.0.1:${internalPorts.smtp}`,
    ...sharedVariables,
    OTEL_EXPORTER_PROMETHEUS_PORT: String(
      Number(sharedVariables['OTEL_EXPORTER_PROMETHEUS_PORT'] ?? defaultMetricsPort) + 1,
    ),
    WORKER_HEALTH_PORT: String(internalPorts.workerHealth),
  });
  // The stack has two tenants with one client each. Only the client of the first tenant also has the scope of operators.
  const clients = secrets.clients.map((client, index) => ({
    ...client,
    scopes: index === 0 ? ['*', 'operator:decode'] : ['*'],
  }));
  const api = createComponent('api', localUrl(ports.api, '/health/ready'), {
    // Local callers are scripts and tests, so there are no rate limits.
    RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    LOGIN_RATE_LIMIT_PER_MINUTE: '0',
    TEMPORAL_UI_URL: localUrl(ports.temporalUi, ''),
    ...(isExternal.inbox(settings) ? {} : { FLOW_SIMULATOR_URL: localUrl(ports.inbox, '/api/flow-simulations') }),
    ...sharedVariables,
    PORT: String(ports.api),
    HOST: '127.0.0.1',
    BOOTSTRAP_CLIENTS: JSON.stringify(clients),
  });
  return isExternal.inbox(settings) ? [worker, api] : [inbox, worker, api];
}
