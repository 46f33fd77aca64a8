import { setTimeout as pause } from 'node:timers/promises';
import { authenticateClient } from '../../../api/clients/token';
import { addAddress, addressesPerKindMax, readClientAddresses } from '../../../api/clients/client-addresses.sql';
import { makeClient, makeSecret, type NewClient, readBootstrapClients, saveClient } from '../../../api/clients/clients';
import { addSecret, listClients, listSecrets, removeSecret, revokeClient } from '../../../api/clients/clients.sql';
import { scopes } from '../../../api/http/auth/access-tokens';
import type { Pool } from '../../../platform/postgres/postgres';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

test('a revoked client stays revoked when the API starts again and saves its bootstrap clients', async () => {
  const client = makeClient('acme', ['*']);
  await saveClient(pool, client);
  const authenticate = () => authenticateClient(pool, client.clientId, client.clientSecret);
  expect(await authenticate()).toMatchObject({ tenant: 'acme' });
  expect(await revokeClient(pool, client.clientId)).toBe(true);
  expect(await revokeClient(pool, client.clientId)).toBe(false);
  await saveClient(pool, client);
  expect(await authenticate()).toBeUndefined();
  expect(await listClients(pool)).toEqual([
    {
      clientId: client.clientId,
      tenant: 'acme',
      scopes: ['*'],
      createdAt: expect.any(Date),
      revokedAt: expect.any(Date),
    },
  ]);
});

describe('the secrets of a client', () => {
  let client: NewClient;
  beforeEach(async () => {
    client = makeClient('acme', ['*']);
    await saveClient(pool, client);
  });
  const authenticate = (text: string) => authenticateClient(pool, client.clientId, text);
  const idsOf = async () => (await listSecrets(pool, client.clientId)).map(({ id }) => id);

  async function addNewSecret() {
    const { secret: text, stored } = makeSecret();
    return { text, id: stored.id, result: await addSecret(pool, client.clientId, stored) };
  }

  test('a client has at most two secrets, also if several are added at once', async () => {
    // While this lock is held, no addition can save a secret. If the additions did not lock the client, all six would now find only one
    // secret, and all six would save their secret afterwards.
    const lock = await pool.connect();
    await lock.query('begin');
    await lock.query('lock table client_secrets in share mode');
    const adding = Promise.all(Array.from({ length: 6 }, addNewSecret));
    await pause(300);
    await lock.query('commit');
    lock.release();
    const added = await adding;
    expect(added.map(({ result }) => result).toSorted()).toEqual(['added', ...Array.from({ length: 5 }, () => 'full')]);
    expect(await idsOf()).toHaveLength(2);
  });

  test('both secrets of a client work until one is removed, and the removed secret stays removed when the API starts again', async () => {
    const [firstId = ''] = await idsOf();
    const second = await addNewSecret();
    expect(await authenticate(client.clientSecret)).toMatchObject({ secretId: firstId, clientVersion: 1 });
    expect(await authenticate(second.text)).toMatchObject({ secretId: second.id, clientVersion: 1 });
    expect(await removeSecret(pool, client.clientId, firstId)).toBe(true);
    expect(await removeSecret(pool, client.clientId, firstId)).toBe(false);
    await saveClient(pool, client);
    expect(await authenticate(client.clientSecret)).toBeUndefined();
    expect(await authenticate(second.text)).toMatchObject({ secretId: second.id });
    expect((await addNewSecret()).result).toBe('added');
  });

  test('a client cannot remove or use the secret of another client, and a revoked or unknown client gets no new secret', async () => {
    const [id = ''] = await idsOf();
    const other = makeClient('globex', ['*']);
    await saveClient(pool, other);
    expect(await removeSecret(pool, other.clientId, id)).toBe(false);
    expect(await authenticate(client.clientSecret)).toMatchObject({ tenant: 'acme' });
    expect(await authenticateClient(pool, other.clientId, client.clientSecret)).toBeUndefined();
    await revokeClient(pool, client.clientId);
    expect((await addNewSecret()).result).toBe('unknown');
    expect(await addSecret(pool, 'nobody', makeSecret().stored)).toBe('unknown');
  });

  test('the list shows when each secret was last used, and a new secret in BOOTSTRAP_CLIENTS replaces all secrets', async () => {
    await addNewSecret();
    await authenticate(client.clientSecret);
    expect(await listSecrets(pool, client.clientId)).toEqual([
      { id: expect.any(String), createdAt: expect.any(Date), usedAt: expect.any(Date) },
      { id: expect.any(String), createdAt: expect.any(Date), usedAt: null },
    ]);
    const { clientSecret } = makeClient('acme', ['*']);
    await saveClient(pool, { ...client, clientSecret });
    expect(await idsOf()).toHaveLength(1);
    expect(await authenticate(client.clientSecret)).toBeUndefined();
    expect(await authenticate(clientSecret)).toBeDefined();
  });
});

test('a client has at most 20 origins, also if several are added at once', async () => {
  const { clientId, ...client } = makeClient('acme', ['*']);
  await saveClient(pool, { clientId, ...client });
  const add = (name: string) => addAddress(pool, clientId, 'origin', `https://${name}.example`);
  for (let count = 1; count < addressesPerKindMax; count += 1) await add(`earlier${count}`);
  // While this lock is held, all additions wait to lock the client. If they counted the origins before they lock the client, all six would
  // now find 19 origins, and all six would save their origin afterwards.
  const lock = await pool.connect();
  await lock.query('begin');
  await lock.query('select from clients where client_id = $1 for update', [clientId]);
  const adding = Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(add));
  await pause(300);
  await lock.query('commit');
  lock.release();
  expect((await adding).toSorted()).toEqual(['added', ...Array.from({ length: 5 }, () => 'full')]);
  expect((await readClientAddresses(pool, clientId)).origins).toHaveLength(addressesPerKindMax);
  expect(await add('earlier1')).toBe('added');
});

test('no origin can be added to a revoked client', async () => {
  const client = makeClient('acme', ['*']);
  await saveClient(pool, client);
  await revokeClient(pool, client.clientId);
  expect(await addAddress(pool, client.clientId, 'origin', 'https://shop.example')).toBe('unknown');
});

test('the scope `*` does not include operator:decode, so a client must get operator:decode by name', async () => {
  const scopesOf = async (granted: Parameters<typeof makeClient>[1]) => {
    const client = makeClient('acme', granted);
    await saveClient(pool, client);
    return (await authenticateClient(pool, client.clientId, client.clientSecret))?.scopes;
  };
  const callerScopes = scopes.filter((scope) => scope !== 'operator:decode');
  expect(await scopesOf(['*'])).toEqual(callerScopes);
  expect(await scopesOf(['*', 'operator:decode'])).toEqual(scopes);
  expect(await scopesOf(['operator:decode'])).toEqual(['operator:decode']);
});

const secret = 's3cr3t-s3cr3t-s3cr3t-s3cr3t-s3cr3t';

test.each([
  ['an unquoted value', `[{"tenant":"local","clientId":"a","clientSecret":${secret},"scopes":["*"]}]`],
  ['a truncated value', `[{"clientSecret":"${secret}`],
  ['a secret in place of a name', `[{"${secret}":"tenant"}]`],
  ['a secret in a wrong place', `[{"tenant":"${secret}!","clientId":"a","clientSecret":"b","scopes":["${secret}"]}]`],
  ['a value that is not a list', `"${secret}"`],
])('an invalid BOOTSTRAP_CLIENTS is reported without its secrets: %s', (_, setting) => {
  const read = () => readBootstrapClients(setting);
  expect(read).toThrow(/BOOTSTRAP_CLIENTS/);
  expect(read).not.toThrow(/s3cr3t/);
});

test('a client id that could add HTML or Markdown to the pages of operators is rejected', () => {
  const read = (clientId: string) =>
    readBootstrapClients(JSON.stringify([{ tenant: 'local', clientId, clientSecret: secret, scopes: ['*'] }]));
  expect(read('team.a@acme:ops_1-b')).toHaveLength(1);
  for (const clientId of ['a b', '[x](http://evil.test)', 'a\u202eb', 'a\nb', '<b>', ''])
    expect(() => read(clientId)).toThrow('BOOTSTRAP_CLIENTS.0.clientId');
});
