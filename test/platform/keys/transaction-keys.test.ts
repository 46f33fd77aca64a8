import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deleteDataKey } from '../../../platform/keys/data-keys.sql';
import {
  DataErasedError,
  DataKeyMissingError,
  TransactionKeys,
  UnknownDataError,
} from '../../../platform/keys/data-keys';
import { createLogger } from '../../../platform/logger';
import { inTransaction, openPool, type Pool } from '../../../platform/postgres/postgres';
import { createPayloadCodec } from '../../../platform/temporal/data-converter';
import { testKeys } from '../../support/build';
import { addKey } from '../../support/new-record';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
/** If true, all queries of `unreliablePool` fail, as during an outage. */
let isAway = false;
let unreliablePool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
  const query = async (sql: string, values: unknown[]) => {
    if (isAway) throw new Error('away');
    return pool.query(sql, values);
  };
  unreliablePool = { query } as unknown as Pool;
});
beforeEach(() => {
  isAway = false;
  jest.restoreAllMocks();
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const newOwner = () => ({ tenant: 'local', owner: randomUUID() });
const open = () => new TransactionKeys(unreliablePool, testKeys.serviceKeys);
/** This clock decides how long a key may be used. */
async function advanceClock(ms: number): Promise<void> {
  const now = performance.now();
  jest.spyOn(performance, 'now').mockReturnValue(now + ms);
  // The cache of keys reads the clock at most once per millisecond.
  await pause(5);
}
const destroy = (owner: ReturnType<typeof newOwner>) =>
  inTransaction(pool, (client) => deleteDataKey(client, { ...owner, purpose: 'transaction' }));

test('a key that was unknown is found after another process has created it', async () => {
  const owner = newOwner();
  const keys = open();
  await expect(keys.get(owner)).rejects.toThrow(DataErasedError);
  const other = open();
  await addKey(pool, owner);
  expect(await keys.get(owner)).toEqual(await other.get(owner));
});

test('a key that was destroyed is used for at most a minute, and not at all by the process that destroyed it', async () => {
  const owner = newOwner();
  const [keys, eraser] = [open(), open()];
  await addKey(pool, owner);
  const key = await eraser.get(owner);
  expect(await keys.get(owner)).toEqual(key);
  await destroy(owner);
  eraser.forget(owner);
  await expect(eraser.get(owner)).rejects.toThrow(DataErasedError);
  expect(await keys.get(owner)).toEqual(key);
  await advanceClock(60_100);
  await expect(keys.get(owner)).rejects.toThrow(DataErasedError);
});

test('while Postgres is not available, a key is used for 15 minutes after it was read', async () => {
  const owner = newOwner();
  const keys = open();
  await addKey(pool, owner);
  const key = await keys.get(owner);
  isAway = true;
  for (let minute = 2; minute < 15; minute += 2) {
    await advanceClock(120_000);
    expect(await keys.get(owner)).toEqual(key);
  }
  await expect(keys.get(newOwner())).rejects.toThrow('away');
  await advanceClock(120_000);
  await expect(keys.get(owner)).rejects.toThrow('away');
});

test('a key leaves the memory 15 minutes after it was read, even if nothing reads it again', async () => {
  const doNotFake = ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'setInterval', 'performance'] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake] });
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const owner = newOwner();
  const keys = open();
  await addKey(pool, owner);
  const key = await keys.get(owner).then((buffer) => new WeakRef(buffer));
  const isInMemory: boolean[] = [];
  for (const minutes of [14, 2]) {
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + minutes * 60_000);
    jest.advanceTimersByTime(minutes * 60_000);
    // A WeakRef that was read keeps its target until the next task.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    isInMemory.push(key.deref() !== undefined);
  }
  jest.useRealTimers();
  expect(isInMemory).toEqual([true, false]);
  // The cache is still in use, so the key did not leave the memory together with the cache.
  expect(await keys.get(owner)).toHaveLength(32);
});

test('a transaction with a record and without a key was not erased: its key is missing', async () => {
  const [saved, erased, unknown] = [newOwner(), newOwner(), newOwner()];
  for (const { tenant, owner } of [saved, erased])
    await pool.query('insert into transactions (tenant, id, version, sealed) values ($1, $2, 1, $3)', [
      tenant,
      owner,
      Buffer.from('sealed'),
    ]);
  await pool.query('update transactions set sealed = null, erased_at = now() where id = $1', [erased.owner]);
  const failureOf = async (owner: typeof saved) =>
    open()
      .get(owner)
      .catch((error: Error) => error.constructor);
  expect(await failureOf(saved)).toBe(DataKeyMissingError);
  expect(await failureOf(erased)).toBe(DataErasedError);
  expect(await failureOf(unknown)).toBe(UnknownDataError);
});

test('only an erasure ends the workflow of a transaction, and not a missing key', async () => {
  const owner = newOwner();
  const ended: string[] = [];
  const errors: Error[] = [new DataKeyMissingError(owner), new UnknownDataError(owner), new DataErasedError(owner)];
  for (const error of errors) {
    const codec = createPayloadCodec({
      transactionKeys: { get: () => Promise.reject(error) },
      ownerOf: () => owner,
      encrypts: true,
      onErased: () => ended.push(error.name),
    });
    const payload = { metadata: {}, data: Buffer.from('1') };
    await expect(codec.encode([payload], { type: 'workflow', namespace: 'default', workflowId: 'w' })).rejects.toBe(
      error,
    );
  }
  expect(ended).toEqual(['DataErasedError']);
});
