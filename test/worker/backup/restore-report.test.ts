import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../dev/stack/free-port';
import type { RunningProgram } from '../../../dev/stack/start-program';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { replaceSigningKeys } from '../../../platform/keys/signing-keys';
import { findSigningKeys } from '../../../platform/keys/signing-keys.sql';
import { withSession } from '../../../platform/postgres/session';
import { openErasureLogFolder } from '../../../store/privacy/erasure-log';
import { findEvents } from '../../../store/transactions/transaction-events.sql';
import { lockBackups } from '../../../worker/backup/lock';
import type { RestoreReport } from '../../../worker/backup/report';
import { startTemporal } from '../../faults/restore/restore-world';
import { BackupWorld, serviceKey } from './backup-world';

let world: BackupWorld;
let temporal: RunningProgram;
let temporalFolder: string;
beforeAll(async () => {
  world = await BackupWorld.start();
  temporalFolder = mkdtempSync(join(tmpdir(), 'countersign-temporal-'));
  const ports = { port: await findFreePort(), ui: await findFreePort() };
  temporal = await startTemporal(join(temporalFolder, 'temporal.db'), ports);
}, 60_000);
afterAll(async () => {
  await temporal.stop('SIGINT');
  await world.postgres.stop();
  rmSync(temporalFolder, { recursive: true, force: true });
});
beforeEach(() => world.newFolder());
afterEach(() => {
  world.onOutput = undefined;
  world.removeFolder();
});

const backUp = async () => expect(await world.backUp()).toMatchObject({ code: 0 });
const restore = (...args: string[]) => world.restore({ TEMPORAL_ADDRESS: temporal.address }, '--overwrite', ...args);

/** Restores, and returns the report. */
async function restoreWithReport(...args: string[]): Promise<RestoreReport> {
  const file = join(world.folder, 'report.json');
  rmSync(file, { force: true });
  expect(await restore('--report', file, ...args)).toMatchObject({ code: 0 });
  return JSON.parse(readFileSync(file, 'utf8')) as RestoreReport;
}

const environmentOfTarget = () =>
  world.withPool('target', async (pool) => (await pool.query('select environment from root_secret')).rows);
const testMs = 60_000;

test(
  'the file of the report is created before anything changes, and is complete before the service can start',
  async () => {
    await backUp();
    await world.create();
    await backUp();
    const file = join(world.folder, 'reports', 'report.json');
    expect((await restore('--report', file)).output).toMatch(
      /report\.json cannot be created \(ENOENT\)[^]*Nothing has changed/,
    );
    await expect(environmentOfTarget()).rejects.toThrow('root_secret');
    mkdirSync(join(world.folder, 'reports'));
    expect(await restore('--report', file)).toMatchObject({ code: 0 });
    const report = JSON.parse(readFileSync(file, 'utf8')) as RestoreReport;
    expect(report).toMatchObject({ transactions: 1, withoutKey: [] });
    expect(Object.keys(report.main).toSorted()).toEqual(['at', 'id']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await environmentOfTarget()).toEqual([{ environment: 'local' }]);
    writeFileSync(file, 'kept');
    expect((await restore('--report', file)).output).toContain('cannot be created (EEXIST)');
    expect(readFileSync(file, 'utf8')).toBe('kept');
  },
  testMs,
);

test(
  'if the report cannot be shown or written, API and worker do not start on the database',
  async () => {
    await backUp();
    world.onOutput = (text) => {
      if (text.includes('open workflows  ')) throw new Error('no space left');
    };
    const file = join(world.folder, 'report.json');
    expect(await restore('--report', file)).toEqual({ code: 1, output: expect.stringContaining('no space left') });
    expect(await environmentOfTarget()).toEqual([{ environment: 'restoring' }]);
    expect(existsSync(file)).toBe(false);
  },
  testMs,
);

const execute = (sql: string, name = 'source') => world.withPool(name, (pool) => pool.query(sql));

test(
  'a data key and a record that cannot be decrypted do not prevent a restore: the report names them',
  async () => {
    const [lost, broken, other, whole] = [
      await world.create(),
      await world.create(),
      await world.create(),
      await world.create(),
    ];
    await execute(`update data_keys set wrapped = '\\x0102' where owner = '${lost.id}'`);
    await execute(`update data_keys set key_id = 'abcdefabcdef' where owner = '${other.id}'`);
    await execute(`update transactions set sealed = '\\x0102', due_at = now() where id = '${broken.id}'`);
    const { code, output } = await world.backUp();
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining('Warning: some data keys need the service keys abcdefabcdef'),
    });
    const report = await restoreWithReport();
    expect(report.unreadable.toSorted()).toEqual(
      [lost, broken, other].map(({ tenant, id }) => `${tenant}/${id}`).toSorted(),
    );
    const version = (await execute(`select version from transactions where id = '${whole.id}'`, 'target')).rows;
    expect(version).toEqual([{ version: 1 }]);
    await execute('delete from transactions; delete from data_keys; delete from transaction_events');
  },
  testMs,
);

test(
  'the restore replaces the signing keys, and says what must be repeated by hand',
  async () => {
    await world.withPool('source', (pool) => replaceSigningKeys(pool, createServiceKeys(serviceKey)));
    await backUp();
    const { code, output } = await restore();
    expect(code).toBe(0);
    const kids = async (name: string) => (await world.withPool(name, findSigningKeys)).map(({ kid }) => kid);
    expect(await kids('target')).toHaveLength(1);
    expect(await kids('target')).not.toEqual(await kids('source'));
    expect(output).toMatch(/Revoke again each client[^]*npm run client -- list[^]*Opt-outs/);
  },
  testMs,
);

test(
  'a restore fails while a backup of its database runs',
  async () => {
    await backUp();
    await withSession(world.postgres.address('target'), async (session) => {
      await lockBackups(session);
      const { code, output } = await restore();
      expect([code, output]).toEqual([1, expect.stringContaining('Another backup or restore of this database')]);
    });
  },
  testMs,
);

test(
  'after each restore, new events get ids that no event had before, also those of transactions that are created again',
  async () => {
    const state = await world.create();
    await backUp();
    const sequences = (id: string) =>
      world.withPool('target', async (pool) => {
        const { events } = await findEvents(pool, { tenant: state.tenant, id }, { after: 0, limit: 100 });
        return events.map(({ sequence }) => sequence);
      });
    await restoreWithReport();
    expect(await sequences(state.id)).toEqual([1]);
    const again = await world.create('target');
    const [first = 0] = await sequences(again.id);
    // More than any transaction has, and at most 9 digits: clients send it as Last-Event-ID.
    expect(first).toBeGreaterThan(1_000_000);
    expect(first).toBeLessThan(1_000_000_000);
    await restoreWithReport();
    const next = await world.create('target');
    expect((await sequences(next.id))[0]).toBeGreaterThanOrEqual(first);
    await execute('delete from transactions; delete from data_keys; delete from transaction_events');
  },
  testMs,
);

test(
  'a drill reads the erasure log of production, and changes neither that log nor the images',
  async () => {
    const [erased, kept] = [await world.create(), await world.create()];
    await execute(`update data_keys set wrapped = '\\x0102' where owner = '${erased.id}'`);
    await backUp();
    const log = openErasureLogFolder(world.images);
    await log.append(erased, 'transaction');
    const before = readdirSync(world.images, { recursive: true, encoding: 'utf8' }).toSorted();
    const drill = { TEMPORAL_ADDRESS: temporal.address, IMAGES_DIR: join(world.folder, 'drill') };
    const { output } = await world.restore(drill, '--overwrite');
    expect(output).toContain('The erasure log does not know the backup');
    const file = join(world.folder, 'report.json');
    const args = ['--overwrite', '--erasure-log', world.images, '--report', file];
    expect(await world.restore(drill, ...args)).toMatchObject({ code: 0 });
    const report = JSON.parse(readFileSync(file, 'utf8')) as RestoreReport;
    // The key of an erased transaction is gone, and need not be readable.
    expect(report).toMatchObject({
      transactions: 2,
      erasedAgain: [`${erased.tenant}/${erased.id}`],
      unreadable: [],
    });
    expect(report.erasedAgain).not.toContain(`${kept.tenant}/${kept.id}`);
    expect(readdirSync(world.images, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual(before);
    await execute('delete from transactions; delete from data_keys; delete from transaction_events');
  },
  testMs,
);

test(
  'images whose erasure was logged shortly before the snapshot are erased again',
  async () => {
    const { tenant, id: owner } = await world.create();
    await execute(
      `insert into images (id, tenant, owner, kind, bytes, delete_after, stored_at) values (gen_random_uuid(), '${tenant}', '${owner}', 'selfie', 3, 'infinity', now())`,
    );
    await openErasureLogFolder(world.images).append({ tenant, id: owner }, 'images');
    expect(await world.backUp({}, '--images', 'no')).toMatchObject({ code: 0 });
    expect((await restoreWithReport()).imagesErasedAgain).toEqual([`${tenant}/${owner}`]);
    await execute(
      'delete from images; delete from transactions; delete from data_keys; delete from transaction_events',
    );
  },
  testMs,
);
