import { randomUUID } from 'node:crypto';
import { lockOwner, type Owner } from '../../../platform/images/owner-keys';
import { createUploads, type Uploads } from '../../../platform/images/uploads';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool, type PoolClient } from '../../../platform/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
/** The only database connection for uploads. */
let one: Pool;
let others: Pool;
let uploads: Uploads;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  const url = await postgres.createDatabase();
  const logger = createLogger('test', 'silent');
  [one, others] = [openPool(url, logger, 1), openPool(url, logger, 5)];
  uploads = createUploads(one, testKeys);
});
afterEach(() => Promise.all([one.end(), others.end()]));
afterAll(() => postgres.stop());

const owner = (): Owner => ({ tenant: 'local', owner: randomUUID() });
const four = Buffer.from('four');
const startUpload = (of: Owner, by = uploads) => by.start({ ...of, kind: 'Face', size: 4 });
const idOf = (upload: Awaited<ReturnType<typeof startUpload>>) => ('id' in upload ? upload.id : upload.error);

async function takeOne(of: Owner, id: string): Promise<void> {
  await uploads.append(id, of, 0, four);
  expect(await uploads.take(id, of)).toMatchObject({ bytes: four });
}

describe('uploads of one owner within an hour', () => {
  const mine = owner();
  beforeEach(async () => {
    for (let count = 0; count < 59; count += 1) await takeOne(mine, idOf(await startUpload(mine)));
  });

  it('are limited to sixty; another owner, also of another tenant, has a separate limit', async () => {
    await takeOne(mine, idOf(await startUpload(mine)));
    expect(await startUpload(mine)).toEqual({ error: 'many' });
    for (const other of [owner(), { ...mine, tenant: 'other' }]) await takeOne(other, idOf(await startUpload(other)));
    expect(await startUpload(mine)).toEqual({ error: 'many' });
  });

  it('are limited to sixty when they start, and a rejected one removes no other', async () => {
    const last = idOf(await startUpload(mine));
    expect(await startUpload(mine)).toEqual({ error: 'many' });
    await takeOne(mine, last);
  });

  it('do not include earlier ones, before and after the cleanup', async () => {
    await takeOne(mine, idOf(await startUpload(mine)));
    await others.query(`update uploads set taken_at = taken_at - interval '61 minutes'`);
    await takeOne(mine, idOf(await startUpload(mine)));
  });
});

describe('during another request of the same owner', () => {
  let client: PoolClient;
  beforeEach(async () => {
    client = await others.connect();
    await client.query('begin');
  });
  afterEach(async () => {
    await client.query('rollback');
    client.release();
  });

  it('no upload starts or continues, and the connection is free for other owners', async () => {
    const [mine, theirs] = [owner(), owner()];
    const id = idOf(await startUpload(mine));
    await lockOwner(client, mine);
    const answers = [startUpload(mine), uploads.append(id, mine, 0, four), startUpload(mine), startUpload(theirs)];
    expect(await Promise.all(answers)).toEqual([
      { error: 'busy' },
      { error: 'busy', received: 0 },
      { error: 'busy' },
      { id: expect.any(String) },
    ]);
    await client.query('rollback');
    await takeOne(mine, id);
  });

  it('one of two concurrent requests succeeds, and the other is rejected before it', async () => {
    const of = owner();
    const [first, second] = [createUploads(others, testKeys), uploads];
    const id = idOf(await startUpload(of));
    const turns = [
      ['uploads', (by: Uploads) => startUpload(of, by), { error: 'busy' }, { id: expect.any(String) }],
      ['upload_parts', (by: Uploads) => by.append(id, of, 0, four), { error: 'busy', received: 0 }, { received: 4 }],
    ] as const;
    for (const [table, act, busy, done] of turns) {
      // Holds the first request at its last step, inside its transaction.
      await client.query(`lock table ${table} in share mode`);
      const running = act(first);
      await untilLocked();
      expect(await act(second)).toEqual(busy);
      await client.query('rollback; begin');
      expect(await running).toEqual(done);
      expect(await act(second)).toEqual(done);
    }
  });

  async function untilLocked(): Promise<void> {
    const sql = `select from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    while ((await others.query(sql)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
  }
});
