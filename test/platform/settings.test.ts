import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inboxSettingNames, readInboxConfig } from '../../dev/inbox/settings';
import { readApiConfig, readWorkerConfig, settingNames as serviceSettingNames } from '../../platform/config';

const settingNames = [...serviceSettingNames, ...inboxSettingNames];

const root = path.join(__dirname, '..', '..');
const readText = (file: string) => readFileSync(path.join(root, file), 'utf8');

test.each(settingNames.map((name) => [name]))('the setting %s is in a table of docs/configuration.md', (name) => {
  expect(readText('docs/configuration.md')).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
});

test('the compose file has every setting of API and worker', () => {
  const compose = readText('docker-compose.yml');
  const localSettings = ['HOST', 'ENCRYPT_PAYLOADS', 'TEMPORAL_UI_CLEAR_TEXT', 'FLOW_SIMULATOR_URL'];
  for (const name of settingNames.filter(
    (setting) => !setting.startsWith('INBOX_HOST') && !localSettings.includes(setting),
  ))
    expect(compose).toMatch(new RegExp(`^ +${name}:`, 'm'));
});

test('the worker of the compose file runs without stack traces', () => {
  const preload = 'worker/without-stack-traces';
  expect(readText('docker-compose.yml')).toContain(`[node, --require, ./dist/${preload}.js, dist/worker/main.js]`);
  expect(readText(`${preload}.ts`)).toContain('setPromiseHook');
});

test('.env.example has the settings that the compose file reads', () => {
  const namesIn = (file: string, pattern: RegExp): string[] =>
    Array.from(new Set(Array.from(readText(file).matchAll(pattern), ([, name = '']) => name))).toSorted();
  expect(namesIn('.env.example', /^([A-Z0-9_]+)=/gm)).toEqual(namesIn('docker-compose.yml', /\$\{([A-Z0-9_]+)/g));
});

const completeSettings = {
  DATABASE_URL: 'postgres://x',
  SERVICE_KEY: Buffer.alloc(32).toString('base64'),
  TWILIO_ACCOUNT_SID: 'AC0',
  TWILIO_AUTH_TOKEN: 'x',
};

test('docs/configuration.md has the defaults of the code', () => {
  const messaging = { TWILIO_SMS_FROM: '+1', TWILIO_WHATSAPP_FROM: '+1', SMTP_URL: 'smtp://mail' };
  const defaults: Record<string, unknown> = {
    ...readInboxConfig(completeSettings),
    ...readWorkerConfig({ ...completeSettings, ...messaging }),
    ...readApiConfig(completeSettings),
  };
  const [settings = ''] = readText('docs/configuration.md').split('\n## npm start');
  const rows = Array.from(settings.matchAll(/^\| `([A-Z0-9_]+)` \| `([^`]+)` \|/gm), ([, name = '', value = '']) => [
    name,
    value,
  ]);
  expect(rows.length).toBeGreaterThan(25);
  expect(rows).toEqual(rows.map(([name = '']) => [name, String(defaults[name])]));
});

test.each([
  ['https://verify.example.com', 'https://verify.example.com'],
  ['https://verify.example.com/', 'https://verify.example.com'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('PUBLIC_URL %s is read as %s', (publicUrl, expected) => {
  expect(readApiConfig({ ...completeSettings, PUBLIC_URL: publicUrl }).PUBLIC_URL).toBe(expected);
});

test.each([
  'https://example.com/verify',
  'https://example.com//',
  'https://example.com?a=b',
  'https://example.com/#a',
  'https://me:secret@example.com',
  'https://example.com and more',
  'ftp://example.com',
  'example.com',
])('PUBLIC_URL %s is rejected', (PUBLIC_URL) => {
  expect(() => readApiConfig({ ...completeSettings, PUBLIC_URL })).toThrow(
    /PUBLIC_URL: must have only scheme, host and port/,
  );
});

test('callers have a rate limit by default', () => {
  expect(readApiConfig(completeSettings).RATE_LIMIT_PER_SECOND).toBe(10);
});

test.each([
  [undefined, []],
  ['2', 2],
  ['loopback, 10.0.0.0/8,2001:db8::1', ['loopback', '10.0.0.0/8', '2001:db8::1']],
])('TRUST_PROXY %s is read as %j', (TRUST_PROXY, expected) => {
  expect(readApiConfig({ ...completeSettings, TRUST_PROXY }).TRUST_PROXY).toEqual(expected);
});

test.each(['true', '*', '10.0.0.0/64', 'proxy.example.com', '1,2'])('TRUST_PROXY %s is rejected', (TRUST_PROXY) => {
  expect(() => readApiConfig({ ...completeSettings, TRUST_PROXY })).toThrow(/TRUST_PROXY: must be a number of proxies/);
});

test('a worker with a cache that its polls would fill does not start', () => {
  const messaging = { TWILIO_SMS_FROM: '+1', TWILIO_WHATSAPP_FROM: '+1', SMTP_URL: 'smtp://mail' };
  expect(() => readWorkerConfig({ ...completeSettings, ...messaging, WORKER_CACHED_WORKFLOWS: '5' })).toThrow(
    /WORKER_CACHED_WORKFLOWS/,
  );
});

test('one error names every missing or invalid setting', () => {
  const read = () => readApiConfig({ SERVICE_KEY: 'short', PORT: 'eighty' });
  expect(read).toThrow(/DATABASE_URL/);
  expect(read).toThrow(/SERVICE_KEY: must hold at least 32 bytes/);
  expect(read).toThrow(/PORT/);
  expect(() => readWorkerConfig({})).toThrow(/SMTP_URL/);
  expect(() => readWorkerConfig({ SMTP_URL: 'https://mail.example' })).toThrow(/SMTP_URL/);
});
