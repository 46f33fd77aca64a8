import { randomUUID } from 'node:crypto';
import { lockOwner } from '../../images/uploads.sql';
import type { DataOwner } from '../../platform/keys/data-keys';
import { createUploads, type Uploads } from '../../images/uploads';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool, type PoolClient } from '../../platform/postgres/postgres';
import { testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';

let postgres: TestPostgres;
/** This pool has only one connection. */
let uploadPool: Pool;
let otherPool: Pool;
let uploads: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  const url = await postgres.createDatabase();
  const logger = createLogger('test', 'silent');
  [uploadPool, otherPool] = [openPool(url, logger, 1), openPool(url, logger, 5)];
  uploads = createUploads(uploadPool, testKeys);
});
afterEach(() => Promise.all([uploadPool.end(), otherPool.end()]));
afterAll(() => postgres.stop());

const newOwner = (): DataOwner => ({ tenant: 'local', owner: randomUUID() });
const fourBytes = Buffer.from('four');
const startUpload = (imageOwner: DataOwner, service = uploads) =>
  service.start({ ...imageOwner, purpose: 'selfie', size: 4 });
const idOf = (upload: Awaited<ReturnType<typeof startUpload>>) => ('id' in upload ? upload.id : upload.error);

async function finishUpload(imageOwner: DataOwner, id: string): Promise<void> {
  await uploads.append(id, imageOwner, 0, fourBytes);
  expect(await uploads.take(id, imageOwner)).toMatchObject({ bytes: fourBytes });
}

describe('uploads of one owner within an hour', () => {
  const uploadOwner = newOwner();
  beforeEach(async () => {
    for (let count = 0; count < 59; count += 1) await finishUpload(uploadOwner, idOf(await startUpload(uploadOwner)));
  });

  it('an owner has at most sixty uploads an hour; every other owner has a separate limit, also in another tenant', async () => {
    await finishUpload(uploadOwner, idOf(await startUpload(uploadOwner)));
    expect(await startUpload(uploadOwner)).toEqual({ error: 'many' });
    for (const other of [newOwner(), { ...uploadOwner, tenant: 'other' }])
      await finishUpload(other, idOf(await startUpload(other)));
    expect(await startUpload(uploadOwner)).toEqual({ error: 'many' });
  });

  it('an upload counts for the limit of sixty as soon as it is started; a rejected upload removes no other upload', async () => {
    const lastId = idOf(await startUpload(uploadOwner));
    expect(await startUpload(uploadOwner)).toEqual({ error: 'many' });
    await finishUpload(uploadOwner, lastId);
  });

  it('uploads that were finished more than an hour ago do not count', async () => {
    await finishUpload(uploadOwner, idOf(await startUpload(uploadOwner)));
    await otherPool.query(`update uploads set taken_at = taken_at - interval '61 minutes'`);
    await finishUpload(uploadOwner, idOf(await startUpload(uploadOwner)));
  });
});

describe('during another request of the same owner', () => {
  let client: PoolClient;
  beforeEach(async () => {
    client = await otherPool.connect();
    await client.query('begin');
  });
  afterEach(async () => {
    await client.query('rollback');
    client.release();
  });

  it('during a request of an owner, no upload of this owner starts or continues, but an upload of another owner can start', async () => {
    const [firstOwner, otherOwner] = [newOwner(), newOwner()];
    const id = idOf(await startUpload(firstOwner));
    await lockOwner(client, firstOwner);
    const requests = [
      startUpload(firstOwner),
      uploads.append(id, firstOwner, 0, fourBytes),
      startUpload(firstOwner),
      startUpload(otherOwner),
    ];
    expect(await Promise.all(requests)).toEqual([
      { error: 'busy' },
      { error: 'busy', received: 0 },
      { error: 'busy' },
      { id: expect.any(String) },
    ]);
    await client.query('rollback');
    await finishUpload(firstOwner, id);
  });

  it('the second of two concurrent requests of an owner is rejected while the first one runs', async () => {
    const imageOwner = newOwner();
    const [firstProcess, secondProcess] = [createUploads(otherPool, testKeys), uploads];
    const id = idOf(await startUpload(imageOwner));
    const cases = [
      [
        'uploads',
        (service: Uploads) => startUpload(imageOwner, service),
        { error: 'busy' },
        { id: expect.any(String) },
      ],
      [
        'upload_parts',
        (service: Uploads) => service.append(id, imageOwner, 0, fourBytes),
        { error: 'busy', received: 0 },
        { received: 4 },
      ],
    ] as const;
    for (const [table, sendRequest, busy, accepted] of cases) {
      // The first request then waits at its last statement, inside its database transaction.
      await client.query(`lock table ${table} in share mode`);
      const firstRequest = sendRequest(firstProcess);
      await waitForLock();
      expect(await sendRequest(secondProcess)).toEqual(busy);
      await client.query('rollback; begin');
      expect(await firstRequest).toEqual(accepted);
      expect(await sendRequest(secondProcess)).toEqual(accepted);
    }
  });

  /** Waits until a request has locked the owner of its upload. */
  async function waitForLock(): Promise<void> {
    const sql = `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    while ((await otherPool.query(sql)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});
