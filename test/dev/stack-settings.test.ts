import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startupMessage } from '../../dev/stack/startup-message';
import { assertPortsAreFree } from '../../dev/stack/free-port';
import { loadLocalSecrets } from '../../dev/stack/local-secrets';
import { nodeComponents } from '../../dev/stack/node-components';
import { temporalComponent } from '../../dev/stack/temporal-component';
import { isExternal, readStackSettings } from '../../dev/stack/settings';
import { readInboxConfig } from '../../dev/inbox/settings';
import { readApiConfig, readWorkerConfig } from '../../platform/config';

describe('stack settings', () => {
  it('settings default to the documented ports and folder', () => {
    const settings = readStackSettings('/house', {});
    expect(settings.ports).toEqual({
      api: 3000,
      inbox: 3001,
      temporal: 7233,
      temporalUi: 8233,
      postgres: 5433,
    });
    expect(settings.dataDir).toBe('/house/.data');
    expect(settings.publicUrl).toBe('http://127.0.0.1:3000');
  });

  it('every port is read from its variable, and an empty variable is ignored', () => {
    const { ports } = readStackSettings('/house', { PORT: '4000', INBOX_SMTP_PORT: '4025', POSTGRES_PORT: '' });
    expect(ports).toMatchObject({ api: 4000, smtp: 4025, postgres: 5433 });
  });

  it.each(['http', '0', '70000', '1.5'])('the port %s is rejected, and the error names the variable', (PORT) => {
    expect(() => readStackSettings('/house', { PORT })).toThrow(/PORT=.* is not a port/);
  });

  it('settings say which parts run outside of the stack, such as an external Postgres', () => {
    const settings = readStackSettings('/house', { DATABASE_URL: 'postgres://x', SMTP_URL: 'smtp://x' });
    expect(isExternal.postgres(settings)).toBe(true);
    expect(isExternal.temporal(settings)).toBe(false);
    expect(isExternal.inbox(settings)).toBe(false);
  });

  it('two parts with the same port are rejected', async () => {
    await expect(assertPortsAreFree({ api: 45_871, inbox: 45_871 })).rejects.toThrow(
      /PORT and INBOX_PORT are both 45871/,
    );
  });
});

describe('the Temporal UI', () => {
  const argumentsOf = (environment: NodeJS.ProcessEnv) =>
    temporalComponent(readStackSettings('/house', { TEMPORAL_CLI_PATH: '/temporal', ...environment })).command().args;

  it('the Temporal UI gets clear text from the API', () => {
    const names = argumentsOf({ PORT: '4000' });
    expect(names[names.indexOf('--ui-codec-endpoint') + 1]).toBe('http://127.0.0.1:4000/v1/codec');
  });

  it('the Temporal UI gets no clear text with TEMPORAL_UI_CLEAR_TEXT=false', () => {
    expect(argumentsOf({ TEMPORAL_UI_CLEAR_TEXT: 'false' })).not.toContain('--ui-codec-endpoint');
  });
});

describe('the table of addresses that npm start prints', () => {
  const buildTable = (environment: NodeJS.ProcessEnv) =>
    startupMessage(readStackSettings('/house', environment), 1_000);

  it('the table of addresses has the page of flows', () => {
    expect(buildTable({ PORT: '4000' })).toMatch(/Flows +http:\/\/127\.0\.0\.1:4000\/flows /);
  });

  it.each([
    ['the usual folder', {}, 'npm run -s token'],
    ['the usual folder by name', { DATA_DIR: '.data' }, 'npm run -s token'],
    ['another folder', { DATA_DIR: '/tmp/two' }, 'DATA_DIR=/tmp/two npm run -s token'],
    [
      'a folder with shell characters',
      { DATA_DIR: "/tmp/it's two" },
      String.raw`DATA_DIR='/tmp/it'\''s two' npm run -s token`,
    ],
  ])('the table of addresses has a working command for a token with %s', (_, environment, command) => {
    expect(buildTable(environment)).toContain(`Access token   ${command}\n`);
  });
});

describe('local secrets and the environment of each part', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('local secrets are created once, readable only by this user', () => {
    const secrets = loadLocalSecrets(folder);
    expect(loadLocalSecrets(folder)).toEqual(secrets);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(secrets.clients.map(({ tenant }) => tenant)).toEqual(['local', 'other']);
  });

  it('the environment of each process satisfies its configuration', () => {
    const settings = readStackSettings(
      process.cwd(),
      { DATA_DIR: folder, PORT: '4000' },
      { api: __filename, worker: __filename, inbox: __filename },
    );
    const components = nodeComponents(settings, loadLocalSecrets(folder), { smtp: 4025, workerHealth: 4026 });
    const environmentOf = (name: string) => components.find((part) => part.name === name)?.command().environment;
    expect(readApiConfig(environmentOf('api'))).toMatchObject({ PORT: 4000, PUBLIC_URL: 'http://127.0.0.1:4000' });
    expect(readApiConfig(environmentOf('api')).RATE_LIMIT_PER_SECOND).toBe(0);
    expect(readWorkerConfig(environmentOf('worker'))).toMatchObject({
      WORKER_HEALTH_PORT: 4026,
      SMTP_URL: 'smtp://127.0.0.1:4025',
    });
    expect(readInboxConfig(environmentOf('inbox'))).toMatchObject({
      INBOX_SMTP_PORT: 4025,
      INBOUND_WEBHOOK_URL: 'http://127.0.0.1:4000/webhooks/twilio/inbound',
    });
  });

  it('local secrets are never replaced when their file cannot be read', () => {
    writeFileSync(join(folder, 'secrets.json'), '{ half');
    expect(() => loadLocalSecrets(folder)).toThrow(/cannot be read/);
  });
});
