import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readApiConfig, readWorkerConfig } from '../../platform/config';

const settings = {
  DATABASE_URL: 'postgres://x',
  SERVICE_KEY: 'o3nPzqk1vJxLrUu0t2c5C8mQyX4b7wZ9aEdGfHhIjKk=',
};
const read = (MESSAGING: string, environment: NodeJS.ProcessEnv = {}) =>
  readWorkerConfig({ ...settings, ...environment, MESSAGING }).MESSAGING;

test('with MESSAGING, the settings of Twilio and of the mail server are optional', () => {
  expect(read('{}')).toBe('{}');
  expect(readApiConfig({ ...settings, MESSAGING: '{}' }).MESSAGING).toBe('{}');
  expect(() => readWorkerConfig(settings)).toThrow('SMTP_URL: is required without MESSAGING');
  expect(() => readApiConfig(settings)).toThrow('TWILIO_AUTH_TOKEN: is required without MESSAGING');
});

test('a value can be that of an environment variable, also in a file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'countersign-')), 'messaging.json');
  writeFileSync(path, '{ "list": [{ "url": "$MAIL" }], "price": "$5" }');
  const json = '{"list":[{"url":"smtp://a\\"b"}],"price":"$5"}';
  expect(read(path, { MAIL: 'smtp://a"b' })).toBe(json);
  expect(read('{ "list": [{ "url": "$MAIL" }], "price": "$5" }', { MAIL: 'smtp://a"b' })).toBe(json);
});

test.each([
  ['a variable that is not set', '{ "url": "$MAIL" }', 'MESSAGING: the environment variable MAIL is not set'],
  ['a file that does not exist', '/no/such/file', 'MESSAGING: /no/such/file cannot be read'],
  ['text that is no JSON', '{ "authToken": "secret-1" ', 'MESSAGING: the value is not valid JSON'],
])('%s is an issue, beside those of other settings', (_, value, issue) => {
  const readBoth = () => readWorkerConfig({ ...settings, MESSAGING: value });
  expect(readBoth).toThrow(issue);
  expect(readBoth).not.toThrow('secret-1');
});
