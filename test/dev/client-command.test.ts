import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runClients } from '../../api/clients/clients.cli';
import { scopes } from '../../api/http/auth/access-tokens';
import { dataPaths, writeJson } from '../../dev/stack/data-folder';
import { loadLocalSecrets, localEnvironment } from '../../dev/stack/local-secrets';
import { startPostgres, type TestPostgres } from '../support/postgres';

const folder = mkdtempSync(join(tmpdir(), 'countersign-client-'));
let postgres: TestPostgres;
beforeAll(async () => {
  mkdirSync(dataPaths(folder).runDir);
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(args: readonly string[], environment: () => NodeJS.ProcessEnv) {
  const output = { stdout: '', stderr: '' };
  const streamTo = (stream: keyof typeof output) => ({
    write: (text: string | Uint8Array) => Boolean((output[stream] += text)),
  });
  const code = await runClients(args, { environment, stdout: streamTo('stdout'), stderr: streamTo('stderr') });
  return { code, ...output };
}

const noEnvironment = () => {
  throw new Error('The environment was read.');
};

test.each(['--help', '-h'])('%s prints the usage without reading the environment', async (flag) => {
  const { code, stdout } = await run([flag], noEnvironment);
  expect(code).toBe(0);
  for (const text of ['add --tenant', 'list', 'revoke --client', 'DATA_DIR', ...scopes]) expect(stdout).toContain(text);
});

test('wrong arguments are reported before the environment is read', async () => {
  expect(await run(['update', '--client', 'c'], noEnvironment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Usage'),
  });
  expect(await run(['add'], noEnvironment)).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
});

test.each([
  [
    'a scope',
    ['--tenant', 'acme', '--scopes', 'transaction:read flows:reed'],
    /^The scope `flows:reed` is unknown\. Did you mean `flows:read`\? /,
  ],
  ['a missing scope', ['--tenant', 'acme', '--scopes', ' '], /^--scopes is empty/],
  ['a tenant', ['--tenant', 'Acme'], /^The tenant `Acme` is invalid: it must be lower-case letters/],
])('add reports an invalid argument: %s', async (_, args, expected) => {
  expect(await run(['add', ...args], noEnvironment)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(expected),
  });
});

test('add creates a client with the given scopes in the running local stack', async () => {
  const { postgresPassword } = loadLocalSecrets(folder);
  const ports = { api: 1, inbox: 2, temporal: 3, temporalUi: 4, postgres: 21_555 };
  writeJson(dataPaths(folder).runningFile, { pid: process.pid, ports });
  const localVariables = localEnvironment(folder);
  expect(localVariables['DATABASE_URL']).toBe(`postgres://countersign:${postgresPassword}@127.0.0.1:21555/countersign`);
  const environment = { ...localVariables, DATABASE_URL: await postgres.createDatabase() };
  const addResult = await run(['add', '--tenant', 'acme', '--scopes', 'flows:read flows:write'], () => environment);
  expect(addResult).toMatchObject({ code: 0, stdout: expect.stringMatching(/client secret: \S+/) });
  const { stdout } = await run(['list'], () => environment);
  expect(stdout).toMatch(/ {2}acme {2}flows:read flows:write {2}added /);
  const clientId = stdout.slice(0, stdout.indexOf(' '));
  const changes = ['--client', clientId, '--scopes', 'flows:read'];
  expect(await run(['update', ...changes], () => environment)).toMatchObject({ code: 0 });
  expect((await run(['list'], () => environment)).stdout).toMatch(/ {2}acme {2}flows:read {2}added /);
  expect(await run(['revoke', '--client', clientId], () => environment)).toMatchObject({ code: 0 });
  expect(await run(['update', ...changes], () => environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already revoked'),
  });
});

test('the secrets of a client can be added, listed and removed, and are shown only once', async () => {
  // The command needs no other setting.
  const environment = { DATABASE_URL: await postgres.createDatabase() };
  const runHere = (...args: string[]) => run(args, () => environment);
  const { stdout: added } = await runHere('add', '--tenant', 'acme');
  const [, clientId = ''] = /client id: +(\S+)/.exec(added) ?? [];
  const second = await runHere('add-secret', '--client', clientId);
  const [, secretId = '', secret = ''] = /^secret id: +(sec_\w+)\nclient secret: (\S{43})\n/.exec(second.stdout) ?? [];
  expect(secret).not.toBe('');
  expect(second.stdout).toContain('The other secret of the client still works.');
  expect(await runHere('add-secret', '--client', clientId)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already has two secrets'),
  });
  const list = (await runHere('list-secrets', '--client', clientId)).stdout;
  expect(list).toMatch(new RegExp(`^sec_\\w+ {2}added \\S+ {2}never used\n${secretId} {2}added \\S+ {2}never used\n$`));
  expect(list).not.toContain(secret);
  expect(await runHere('remove-secret', '--client', clientId, '--secret', secretId)).toMatchObject({ code: 0 });
  expect(await runHere('remove-secret', '--client', clientId, '--secret', secretId)).toMatchObject({ code: 1 });
  const remaining = (await runHere('list-secrets', '--client', clientId)).stdout;
  expect(remaining).not.toContain(secretId);
  const [firstId = ''] = remaining.split(' ');
  expect(await runHere('remove-secret', '--client', clientId, '--secret', firstId)).toMatchObject({ code: 0 });
  expect((await runHere('add-secret', '--client', clientId)).stdout).toContain('The client has no other secret.');
});

describe('the addresses of a client', () => {
  const addClient = async () => {
    const environment = { DATABASE_URL: await postgres.createDatabase() };
    const runHere = (...args: string[]) => run(args, () => environment);
    const [, clientId = ''] = /client id: +(\S+)/.exec((await runHere('add', '--tenant', 'acme')).stdout) ?? [];
    return { runHere, clientId };
  };

  test('addresses of a client are allowed, listed and removed in their normal form, such as with a host in lower case', async () => {
    const { runHere, clientId } = await addClient();
    const changes = [
      [
        'allow-return-url',
        '--url',
        'HTTPS://Bücher.example:443/kasse',
        'return URL https://xn--bcher-kva.example/kasse',
      ],
      ['allow-return-url', '--url', 'http://localhost:8080', 'return URL http://localhost:8080/'],
      ['allow-origin', '--origin', 'https://Shop.example/', 'origin https://shop.example'],
    ] as const;
    for (const [name, option, address, shown] of changes) {
      // A repeat changes nothing.
      for (const _ of [1, 2])
        expect(await runHere(name, '--client', clientId, option, address)).toEqual({
          code: 0,
          stdout: `${clientId} may use the ${shown}\n`,
          stderr: '',
        });
    }
    const linesOf = async () => (await runHere('list')).stdout.split('\n').slice(1, -1);
    expect(await linesOf()).toEqual([
      '  origin https://shop.example',
      '  return URL http://localhost:8080/',
      '  return URL https://xn--bcher-kva.example/kasse',
    ]);
    const removing = ['remove-origin', '--client', clientId, '--origin', 'https://shop.example'];
    expect(await runHere(...removing)).toMatchObject({ code: 0 });
    expect(await runHere(...removing)).toMatchObject({ code: 1, stderr: expect.stringContaining('has no origin') });
    expect(await runHere('remove-return-url', '--client', clientId, '--url', 'http://localhost:8080/')).toMatchObject({
      code: 0,
    });
    expect(await linesOf()).toEqual(['  return URL https://xn--bcher-kva.example/kasse']);
  });

  test('a client has at most 20 addresses of each kind, such as origins', async () => {
    const { runHere, clientId } = await addClient();
    const allow = (at: number) => runHere('allow-origin', '--client', clientId, '--origin', `https://s${at}.example`);
    for (let at = 0; at < 20; at += 1) expect((await allow(at)).code).toBe(0);
    expect(await allow(20)).toMatchObject({ code: 1, stderr: expect.stringContaining('already has 20 origins') });
    expect(await runHere('allow-return-url', '--client', clientId, '--url', 'https://s.example')).toMatchObject({
      code: 0,
    });
  });

  test('an address cannot be added to a client that does not exist', async () => {
    const { runHere } = await addClient();
    expect(await runHere('allow-origin', '--client', 'nobody', '--origin', 'https://shop.example')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody does not exist'),
    });
  });

  test.each([
    ['allow-return-url', '--url', 'http://shop.example/', /^--url must be https/],
    ['allow-return-url', '--url', 'https://shop.example/?a=b', /^--url must have no query/],
    ['allow-return-url', '--url', 'javascript:alert(1)', /^--url must be a URL/],
    ['allow-origin', '--origin', 'https://*.shop.example', /^--origin must be a URL/],
    ['allow-origin', '--origin', 'https://shop.example/checkout', /^--origin must be an origin/],
  ])('%s rejects %s %s before the environment is read', async (name, option, address, message) => {
    expect(await run([name, '--client', 'c', option, address], noEnvironment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    });
  });
});

test.each([
  ['that never existed', 'none', undefined],
  ['that was killed', 'killed', 999_999_999],
])('for a local stack %s, the error says what to do', (_, name, pid) => {
  const dataDir = join(folder, name);
  mkdirSync(dataPaths(dataDir).runDir, { recursive: true });
  loadLocalSecrets(dataDir);
  if (pid) writeJson(dataPaths(dataDir).runningFile, { pid, ports: {} });
  expect(() => localEnvironment(dataDir)).toThrow(/npm start.*DATA_DIR.*DATABASE_URL/);
});
