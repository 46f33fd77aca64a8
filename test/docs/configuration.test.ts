import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scopes } from '../../api/http/auth/access-tokens';
import { bodyBytesMax } from '../../api/http/body/read-json';
import { nodeComponents } from '../../dev/stack/node-components';
import { readStackSettings } from '../../dev/stack/settings';
import { flowLimits } from '../../domain/flows/bounds';
import { inboxSettingNames } from '../../dev/inbox/settings';
import { readDatabaseConfig, readWorkerConfig, settingNames } from '../../platform/config';
import { openGuide } from '../support/guide';

const root = path.join(__dirname, '..', '..');
const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const namesIn = (text: string): string[] => Array.from(text.matchAll(/`(\w+)`/g), ([, name = '']) => name).toSorted();
const { section } = openGuide('configuration.md');

test('the guide lists the settings that npm start overwrites', () => {
  const givenSettings = Object.fromEntries(
    [...settingNames, ...inboxSettingNames]
      // Left out, because no inbox starts if both are given.
      .filter((name) => name !== 'SMTP_URL' && name !== 'TWILIO_BASE_URL')
      .map((name) => [name, /PORT$/.test(name) ? '4999' : 'http://given.test']),
  );
  const settings = readStackSettings(root, givenSettings, { api: __filename, worker: __filename, inbox: __filename });
  const secrets = {
    ...{ serviceKey: '', twilioAccountSid: '', twilioAuthToken: '', postgresPassword: '', webhookSecret: '' },
    clients: [],
  };
  const components = nodeComponents(settings, secrets, { smtp: 4999, workerHealth: 1 });
  const overwrittenNames = components.flatMap((component) => {
    const { environment } = component.command();
    return Object.keys(givenSettings).filter((name) => environment[name] !== givenSettings[name]);
  });
  expect(namesIn(section('fixed'))).toEqual(Array.from(new Set(overwrittenNames)).toSorted());
});

test('the guide of the API lists all scopes', () => {
  const names = openGuide('api.md')
    .section('scopes')
    .matchAll(/`([a-z]+(?::[a-z]+)?)`/g);
  expect(Array.from(names, ([, name]) => name)).toEqual([...scopes]);
});

test('the guides list the settings that docker compose requires', () => {
  const requiredNames = Array.from(textOf('docker-compose.yml').matchAll(/\$\{(\w+):\?/g), ([, name = '']) => name);
  // The worker names what it needs of the rest: what is required without a file of providers.
  let error: unknown;
  try {
    readWorkerConfig({});
  } catch (thrown) {
    error = thrown;
  }
  const providerNames = Array.from(
    String(error).matchAll(/(\w+): is required without MESSAGING/g),
    ([, name = '']) => name,
  );
  const expected = Array.from(new Set([...requiredNames, ...providerNames])).toSorted();
  expect(expected).toContain('SMTP_URL');
  expect(namesIn(section('required'))).toEqual(expected);
  const [, readme = ''] = /set at least ([\s\S]*?)\. Then/.exec(textOf('README.md')) ?? [];
  expect(namesIn(readme)).toEqual(expected);
});

test('the guide to clients lists the settings that npm run client needs', () => {
  const errorMessage = (() => {
    try {
      readDatabaseConfig({});
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  })();
  const requiredNames = Array.from(errorMessage.matchAll(/\b[A-Z]+_[A-Z_]+\b/g), ([name]) => name);
  expect(namesIn(openGuide('keys.md').section('client'))).toEqual(Array.from(new Set(requiredNames)).toSorted());
});

test('the body of a request can be as large as the largest flow', () => {
  expect(bodyBytesMax).toBe(flowLimits.definitionBytes);
});
