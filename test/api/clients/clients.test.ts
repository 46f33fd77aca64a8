import {
  authenticateClient,
  listClients,
  makeClient,
  readBootstrapClients,
  revokeClient,
  saveClient,
} from '../../../api/clients/clients';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

test('a revoked client stays revoked when the next start saves it again', async () => {
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

test('a client id that could change the page of an operator is rejected', () => {
  const read = (clientId: string) =>
    readBootstrapClients(JSON.stringify([{ tenant: 'local', clientId, clientSecret: secret, scopes: ['*'] }]));
  expect(read('team.a@acme:ops_1-b')).toHaveLength(1);
  for (const clientId of ['a b', '[x](http://evil.test)', 'a\u202eb', 'a\nb', '<b>', ''])
    expect(() => read(clientId)).toThrow('BOOTSTRAP_CLIENTS.0.clientId');
});
