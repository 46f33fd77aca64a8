import { randomBytes, randomUUID } from 'node:crypto';
import { Semaphore } from 'async-mutex';
import { localEnvironment } from '../../../dev/stack/local-secrets';
import { dataPaths } from '../../../dev/stack/data-folder';
import { readKeysConfig } from '../../../platform/config';
import { createFilesStore } from '../../../images/object-stores';
import { createSealedImages, type SealedImages } from '../../../images/sealed-images';
import { runKeys } from '../../../platform/keys/keys.cli';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { openKeys } from '../../../platform/keys/root-secret';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { changeServiceKey, removeOldServiceKeys } from '../../acceptance/support/change-service-key';
import { newPerson } from '../../acceptance/support/new-person';
import { retryWhileUnavailable } from '../../acceptance/support/retry-while-unavailable';
import { shareStack } from '../../acceptance/support/share-stack';

const counts = { transactions: 200, optOuts: 20, images: 200 };
/** Two slow cores need some minutes for all transactions and three starts of the stack. */
const testWithinMs = 900_000;
const concurrency = 4;

// The longest lifetime: the codes must still be valid after two restarts of the stack.
const getTestStack = shareStack(() => ({
  env: { FLOW_SETTINGS: JSON.stringify({ 'sms-token': { expiresAfterSeconds: 600 } }) },
}));

/** At most `concurrency` calls at a time. The results are in order. */
async function forEach<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const slots = new Semaphore(concurrency);
  return Promise.all(Array.from({ length: count }, (_, index) => slots.runExclusive(() => work(index))));
}

/** Opens the images with the current service keys of the stack. */
async function withImages<Result>(use: (images: SealedImages) => Promise<Result>): Promise<Result> {
  const { dataDir } = getTestStack().stack;
  const config = readKeysConfig(localEnvironment(dataDir));
  const pool = openPool(config.DATABASE_URL, createLogger('test', 'silent'), concurrency);
  try {
    const keys = await openKeys(pool, createServiceKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS));
    return await use(createSealedImages(pool, keys, createFilesStore(dataPaths(dataDir).imagesDir)));
  } finally {
    await pool.end();
  }
}

async function waitForKeys(): Promise<string> {
  let output = '';
  const stream = { isTTY: false, write: (text: string) => Boolean((output += text)) };
  const environment = () => localEnvironment(getTestStack().stack.dataDir);
  expect(await runKeys(['--wait'], { environment, stdout: stream, stderr: stream })).toBe(0);
  return output;
}

test(
  'after a change of the service key, open codes, opt-outs, idempotency keys and images still work without the old key',
  async () => {
    const { api, inbox, stack } = getTestStack();
    const open = await forEach(counts.transactions, async (index) => {
      const person = newPerson();
      const created = await api.post('/v1/transaction', { body: person.body, key: `create-${index}` });
      const { id } = created.body as { id: string };
      expect((await api.post(`/v1/transaction/${id}/sms/tokens`)).status).toBe(201);
      return { ...person, id };
    });
    const optedOut = await forEach(counts.optOuts, async () => {
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/2fa`);
      await inbox.reply((await inbox.waitForNewest(person.phone, 'sms')).id, { text: 'SAIR' });
      return person;
    });
    const jpeg = randomBytes(20_000);
    const owners = await withImages((images) =>
      forEach(counts.images, async () => {
        const owner = { tenant: 'local', owner: randomUUID() };
        const deleteAfter = new Date(Date.now() + 86_400_000);
        return {
          ...owner,
          id: (await images.save({ linkId: 'link', ...owner, kind: 'selfie', jpeg, deleteAfter })).id,
        };
      }),
    );

    await getTestStack().restart(async () => changeServiceKey(stack.dataDir));
    const output = await waitForKeys();
    process.stdout.write(output);
    expect(output).toContain('The database needs only SERVICE_KEY.');
    await getTestStack().restart(async () => removeOldServiceKeys(stack.dataDir));

    const statuses = await forEach(open.length, async (index) => {
      const { id, phone, body } = open[index] as (typeof open)[number];
      const repeat = await retryWhileUnavailable(() => api.post('/v1/transaction', { body, key: `create-${index}` }));
      expect(repeat.body).toMatchObject({ id });
      const value = await inbox.waitForCode(phone, 'sms');
      const path = `/v1/transaction/${id}/sms/tokens/validate`;
      const validated = await retryWhileUnavailable(() => api.post(path, { body: { value }, key: 'validate' }));
      return (validated.body as { status: string }).status;
    });
    expect(statuses.filter((status) => status === 'Valid')).toHaveLength(counts.transactions);
    await forEach(optedOut.length, async (index) => {
      const path = await api.createTransaction(optedOut[index]?.body);
      expect((await api.post(`${path}/sms/tokens`)).body).toMatchObject({ code: 'destination_opted_out' });
    });
    const readable = await withImages((images) => forEach(owners.length, async (index) => images.read(owners[index]!)));
    expect(readable.filter((bytes) => bytes?.equals(jpeg))).toHaveLength(counts.images);
    process.stdout.write(
      `${statuses.length} codes valid, ${optedOut.length} opt-outs kept, ${readable.length} images readable\n`,
    );
  },
  testWithinMs,
);
