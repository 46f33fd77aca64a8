import { scopes } from '../../../api/http/auth/access-tokens';
import { payloadsMax } from '../../../api/codec/decode';
import { ApiWorld } from '../api-world';
import { clearPayload, CodecWorld, decodePath, valuesOf } from './codec-world';

/** A value that must stay encrypted, except in answers of the codec server. */
const canary = 'Maria das Dores Canary';

let world: CodecWorld;
beforeAll(async () => {
  world = await CodecWorld.open();
});
afterAll(() => world.close());

test('an operator reads payloads of all tenants, in the order of the request', async () => {
  const [one, two] = [await world.createTransaction('acme'), await world.createTransaction('other')];
  const response = await world.decode([
    await one.encrypt({ name: canary }),
    clearPayload('clear'),
    await two.encrypt(null),
  ]);
  expect(response.status).toBe(200);
  expect(valuesOf(response)).toEqual([{ name: canary }, 'clear', null]);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('a payload that the service did not encrypt comes back unchanged', async () => {
  const encoding = (text: string) => Buffer.from(text).toString('base64');
  const foreign = [
    {
      metadata: { encoding: encoding('binary/encrypted'), 'encryption-key-id': encoding('another-service') },
      data: 'AQID',
    },
    { metadata: { encoding: encoding('binary/encrypted') }, data: 'AQID' },
    { metadata: { encoding: encoding('json/plain') }, data: 'IngieA==', later: [{ size: '1' }] },
    { metadata: { encoding: encoding('binary/null') } },
    {},
  ];
  const { status, body } = await world.decode(foreign);
  expect([status, body]).toEqual([200, { payloads: foreign }]);
  expect((await world.api.post(decodePath, { body: {} })).body).toEqual({ payloads: [] });
});

test('for an erased or changed payload, the answer has a text with the reason, and the other payloads are readable', async () => {
  const [erased, kept] = [await world.createTransaction(), await world.createTransaction()];
  const payloads = [await erased.encrypt(canary), await kept.encrypt(canary), await kept.encrypt('as before')];
  await world.erase(erased);
  const bytes = Buffer.from(payloads[1]?.data ?? '', 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const changed = { ...payloads[1], data: bytes.toString('base64') };
  const moved = { ...payloads[2], metadata: payloads[0]?.metadata ?? {} };
  const values = valuesOf(await world.decode([...payloads, changed, moved]));
  expect(values).toEqual(['[erased]', canary, 'as before', '[cannot be decrypted]', '[erased]']);
  expect(await world.auditOf(erased)).toEqual([]);
});

test('the audit log has one line per request and transaction, without the data of the payloads', async () => {
  const [one, two] = [await world.createTransaction('acme'), await world.createTransaction('other')];
  await world.decode([
    await one.encrypt(canary),
    await two.encrypt(canary),
    await one.encrypt(canary),
    clearPayload(1),
  ]);
  await world.decode([await one.encrypt(canary)]);
  const line = (count: number) => ({ actor: 'client-of-local', action: 'payloads_decoded', detail: { count } });
  expect(await world.auditOf(one)).toEqual([line(2), line(1)]);
  expect(await world.auditOf(two)).toEqual([line(1)]);
});

test('if the audit log cannot be written, nothing is decoded', async () => {
  const { pool } = world.api.dependencies;
  const payloads = [await (await world.createTransaction()).encrypt(canary)];
  await pool.query('alter table audit_log rename to no_log');
  const { status, body } = await world.decode(payloads);
  await pool.query('alter table no_log rename to audit_log');
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain(Buffer.from(JSON.stringify(canary)).toString('base64'));
  expect((await world.decode(payloads)).status).toBe(200);
});

test('a request may have the payloads of a whole page of the Temporal UI, but not more', async () => {
  const transaction = await world.createTransaction();
  const large = await transaction.encrypt('x'.repeat(1_900_000));
  expect((await world.decode([large])).status).toBe(200);
  const page = await Promise.all(Array.from({ length: payloadsMax }, (_, index) => transaction.encrypt(index)));
  expect(valuesOf(await world.decode(page))).toEqual(page.map((_, index) => index));
  expect((await world.decode([...page, ...page])).body).toMatchObject({ code: 'validation_failed' });
  const { body } = await world.decode([large, large, large]);
  expect(body).toMatchObject({ code: 'body_too_large', detail: 'Send at most 6144 KiB.' });
});

test('an operator may send many more requests than a caller', async () => {
  const limited = await ApiWorld.open({ RATE_LIMIT_PER_SECOND: '1' });
  const decode = () => limited.post(decodePath, { body: {} });
  const statuses = await Promise.all(Array.from({ length: 601 }, async () => (await decode()).status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(600);
  const readSchema = async () => (await limited.request('/v1/flows/schema')).status;
  expect([await readSchema(), await readSchema()]).toEqual([200, 429]);
  await limited.close();
});

test('a request without the scope operator:decode, or without an access token, decodes nothing', async () => {
  const token = await world.api.issueToken(
    'local',
    scopes.filter((scope) => scope !== 'operator:decode'),
  );
  const payloads = [await (await world.createTransaction()).encrypt(canary)];
  expect((await world.decode(payloads, { token })).status).toBe(403);
  expect((await world.decode(payloads, { token: null })).status).toBe(401);
});
