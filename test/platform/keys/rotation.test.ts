import { randomBytes } from 'node:crypto';
import { rewrapDataKeys } from '../../../platform/keys/rewrap-data-keys';
import { findOrCreateDataKey } from '../../../platform/keys/data-keys';
import { countKeysOfOtherServiceKeys } from '../../../platform/keys/data-keys.sql';
import { createSealedImages } from '../../../images/sealed-images';
import { hashDestination } from '../../../messages/codes';
import { ConfigurationError } from '../../../platform/config';
import { runKeys } from '../../../platform/keys/keys.cli';
import { createServiceKeys, type ServiceKeys, serviceKeyId } from '../../../platform/keys/service-keys';
import { maintainSigningKeys, SigningKeys } from '../../../platform/keys/signing-keys';
import { findSigningKeys } from '../../../platform/keys/signing-keys.sql';
import { openKeys } from '../../../platform/keys/root-secret';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { createMemoryStore } from '../../images/memory-store';
import { daysFromNow, jpeg, newOwner } from '../../images/images-world';

const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

const logger = createLogger('test', 'silent');

let postgres: TestPostgres;
let databaseUrl: string;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  databaseUrl = await postgres.createDatabase();
  pool = openPool(databaseUrl, logger, 5);
});
afterEach(() => pool.end());
afterAll(() => postgres.stop());

const open = (serviceKey: string, ...others: string[]) => openKeys(pool, createServiceKeys(serviceKey, others));

/** Runs `npm run keys`. */
async function showKeys(serviceKey: string, ...others: string[]): Promise<{ code: number; output: string }> {
  let output = '';
  const write = (text: string) => {
    output += text;
    return true;
  };
  const environment = { DATABASE_URL: databaseUrl, SERVICE_KEY: serviceKey, OTHER_SERVICE_KEYS: others.join(',') };
  const code = await runKeys([], {
    environment: () => environment,
    stdout: { write, isTTY: false },
    stderr: { write },
  });
  return { code, output };
}

test('after a change of the service key, hashes, codes, links and signatures stay the same, and all images can be read', async () => {
  const before = await open(first);
  const { store } = createMemoryStore();
  const owners = Array.from({ length: 450 }, newOwner);
  const images = createSealedImages(pool, before, store);
  const ids: string[] = [];
  for (const owner of owners)
    ids.push((await images.save({ linkId: 'link', ...owner, kind: 'selfie', jpeg, deleteAfter: daysFromNow(1) })).id);

  const during = await open(second, first);
  const { serviceKeys: _, ...derivedBefore } = before;
  expect(during).toMatchObject(derivedBefore);
  expect(hashDestination(during, '+5511987654321')).toBe(hashDestination(before, '+5511987654321'));
  const readAll = async (keys: typeof before) => {
    const readingImages = createSealedImages(pool, keys, store);
    // `toEqual` needs 13 ms for each image.
    for (const [index, owner] of owners.entries())
      expect((await readingImages.read({ ...owner, id: ids[index] ?? '' }))?.equals(jpeg)).toBe(true);
  };
  await readAll(during);

  // Batches of 200 data keys: the log gets the number that remain after each batch.
  const info = jest.fn();
  expect(await rewrapDataKeys(pool, during.serviceKeys, { info, error: jest.fn() })).toBe(450);
  expect(info.mock.calls.map(([fields]) => fields as unknown)).toEqual(
    [250, 50, 0].map((remaining) => ({ remaining })),
  );
  expect(await rewrapDataKeys(pool, during.serviceKeys, logger)).toBe(0);
  // The first service key is not needed any more.
  const after = await open(second);
  expect(after).toMatchObject(derivedBefore);
  await readAll(after);
});

test('a process without the service key of the database stops and names the key', async () => {
  await open(first);
  await expect(open(second)).rejects.toThrow(ConfigurationError);
  await expect(open(second)).rejects.toThrow(serviceKeyId(first));
  await expect(open(second)).rejects.not.toThrow(first);
});

test('eight processes that start at once on a new database have the same keys', async () => {
  const results = await Promise.all(Array.from({ length: 8 }, () => open(first)));
  for (const keys of results) expect(keys.code).toEqual(results[0]?.code);
});

test('an old process keeps working while a new process already encrypts with the next service key', async () => {
  const oldProcess = await open(first, second);
  const newProcess = await open(second, first);
  const { store } = createMemoryStore();
  const owner = newOwner();
  const saved = { ...owner, linkId: 'link', kind: 'selfie', jpeg, deleteAfter: daysFromNow(1) };
  const { id } = await createSealedImages(pool, newProcess, store).save(saved);
  expect(await createSealedImages(pool, oldProcess, store).read({ ...owner, id })).toEqual(jpeg);
  expect((await open(first, second)).code).toEqual(oldProcess.code);
});

test('two processes with different service keys can encrypt the data keys again at the same time, as during a rollout', async () => {
  const [oldKeys, newKeys] = [createServiceKeys(first, [second]), createServiceKeys(second, [first])];
  const owners = Array.from({ length: 450 }, newOwner);
  for (const owner of owners) await findOrCreateDataKey(pool, oldKeys, owner, 'transaction');
  const rewrap = (keys: ServiceKeys) => rewrapDataKeys(pool, keys, logger);
  const counts = await Promise.all([rewrap(newKeys), rewrap(oldKeys)]);
  for (const count of counts) expect(count).toBeLessThanOrEqual(450);
  // The call with `oldKeys` may have encrypted data keys with the first service key again.
  await rewrap(newKeys);
  expect(await countKeysOfOtherServiceKeys(pool, newKeys.currentId)).toBe(0);
});

test('a data key that cannot be decrypted does not stop the others, and the error names its owner', async () => {
  const [before, during] = [createServiceKeys(first), createServiceKeys(second, [first])];
  const owners = Array.from({ length: 250 }, newOwner).toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  for (const owner of owners) await findOrCreateDataKey(pool, before, owner, 'transaction');
  const damaged = [owners[0], owners[220]].map((owner) => owner?.owner ?? '');
  await pool.query("update data_keys set wrapped = '\\x00' where owner = any($1)", [damaged]);
  const error = jest.fn();
  const rewrapping = rewrapDataKeys(pool, during, { info: jest.fn(), error });
  await expect(rewrapping).rejects.toThrow(/^2 data keys cannot be encrypted again: /);
  for (const owner of damaged) await expect(rewrapping).rejects.toThrow(owner);
  expect(error.mock.calls.map(([fields]) => fields as unknown)).toEqual(
    damaged.map((owner) => expect.objectContaining({ owner, failure: 'BrokenSealError' })),
  );
  expect(await countKeysOfOtherServiceKeys(pool, during.currentId)).toBe(2);
});

test('the data keys of a service key that is missing do not stop the others, and are not read for ever', async () => {
  const third = randomBytes(32).toString('base64');
  const [missing, before] = [createServiceKeys(third), createServiceKeys(first)];
  const owners = Array.from({ length: 450 }, newOwner).toSorted((a, b) => (a.owner < b.owner ? -1 : 1));
  for (const [index, owner] of owners.entries())
    await findOrCreateDataKey(pool, index === 449 ? before : missing, owner, 'transaction');
  const during = createServiceKeys(second, [first]);
  const error = jest.fn();
  await expect(rewrapDataKeys(pool, during, { info: jest.fn(), error })).rejects.toThrow(
    `The settings lack the service keys ${serviceKeyId(third)}.`,
  );
  // Only the first batch has lines in the log.
  expect(error).toHaveBeenCalledTimes(200);
  expect(await countKeysOfOtherServiceKeys(pool, during.currentId)).toBe(449);
});

test('npm run keys says which keys the database needs', async () => {
  const keys = await open(first);
  const images = createSealedImages(pool, keys, createMemoryStore().store);
  await images.save({ linkId: 'link', ...newOwner(), kind: 'selfie', jpeg, deleteAfter: daysFromNow(1) });
  await maintainSigningKeys(pool, keys.serviceKeys);
  expect((await showKeys(first)).output).toMatch(/The database needs only SERVICE_KEY\.\n$/);
  expect((await showKeys(first, second)).output).toContain('You can remove OTHER_SERVICE_KEYS.');

  const missing = await showKeys(second);
  expect(missing.code).toBe(1);
  expect(missing.output).toMatch(new RegExp(`${serviceKeyId(first)} +not in the settings +yes +1 +1\\n`));
  expect(missing.output).toContain('Add this key to OTHER_SERVICE_KEYS.');

  const rotated = await open(second, first);
  const during = await showKeys(second, first);
  expect(during).toMatchObject({
    code: 0,
    output: expect.stringContaining(
      'Keep OTHER_SERVICE_KEYS until this command says that the database needs only SERVICE_KEY.',
    ),
  });
  await rewrapDataKeys(pool, rotated.serviceKeys, logger);
  expect((await showKeys(second, first)).output).toMatch(
    new RegExp(`${serviceKeyId(first)} +OTHER_SERVICE_KEYS +no +0 +1\\n`),
  );
  expect((await showKeys(second, first)).output).toContain(
    'Keep OTHER_SERVICE_KEYS until this command says that the database needs only SERVICE_KEY.',
  );
  const before = (await findSigningKeys(pool)).map(({ kid }) => kid);
  await maintainSigningKeys(pool, rotated.serviceKeys);
  expect((await showKeys(second)).output).toMatch(
    new RegExp(`${serviceKeyId(second)} +SERVICE_KEY +yes +1 +1\n\nThe database needs only SERVICE_KEY.`),
  );
  const signingKeys = new SigningKeys({
    pool,
    serviceKeys: createServiceKeys(second),
    logger,
  });
  await signingKeys.load();
  expect([...(signingKeys.keys?.keys() ?? [])]).toEqual(before);
  signingKeys.stop();
});
