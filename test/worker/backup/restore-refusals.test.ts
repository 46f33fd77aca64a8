import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { startTemporaryPostgres, type TemporaryPostgres } from '../../../dev/stack/temporary-postgres';
import { openKeysOfEnvironment } from '../../../platform/keys/root-secret';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { createLogger } from '../../../platform/logger';
import { migrate, openPool } from '../../../platform/postgres/postgres';
import { runBackup } from '../../../worker/backup/backup.cli';
import { runRestore } from '../../../worker/backup/restore.cli';
import { root } from '../../acceptance/support/test-stack';

const logger = createLogger('test', 'silent');
const [serviceKey, otherKey] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];

let postgres: TemporaryPostgres;
let folder: string;
beforeAll(async () => {
  const programs = process.env['POSTGRES_PROGRAMS'] || '/usr/lib/postgresql/15/bin';
  process.env['PATH'] = `${programs}${delimiter}${process.env['PATH'] ?? ''}`;
  postgres = await startTemporaryPostgres(root, ['fsync=off'], undefined, programs);
  for (const name of ['source', 'target']) await postgres.execute(`create database ${name} owner countersign`);
  const pool = openPool(postgres.address('source'), logger, 1);
  await migrate(postgres.address('source'), logger);
  await openKeysOfEnvironment(pool, createServiceKeys(serviceKey), 'local');
  await pool.end();
});
afterAll(() => postgres.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-backup-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: typeof runBackup, args: string[], settings: NodeJS.ProcessEnv = {}) {
  let output = '';
  const write = (text: string | Uint8Array) => {
    output += String(text);
    return true;
  };
  const environment = () => ({
    PATH: process.env['PATH'],
    DATABASE_URL: postgres.address('source'),
    SERVICE_KEY: serviceKey,
    IMAGES_DIR: join(folder, 'images'),
    // No server listens there.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...settings,
  });
  return { code: await command(args, { environment, stdout: { write }, stderr: { write } }), output };
}

const backups = () => join(folder, 'backups');
const backUp = async () => expect((await run(runBackup, ['--to', backups()])).code).toBe(0);
const restore = (settings: NodeJS.ProcessEnv = {}, ...args: string[]) =>
  run(runRestore, ['--from', backups(), ...args], { DATABASE_URL: postgres.address('target'), ...settings });
const onlyBackup = (part: string) => join(backups(), part, readdirSync(join(backups(), part))[0] ?? '');

test('a restore changes nothing while Temporal does not answer', async () => {
  await backUp();
  const answer = await restore({ DATABASE_URL: postgres.address('source') });
  expect(answer).toEqual({ code: 1, output: expect.stringContaining('Temporal at 127.0.0.1:1 does not answer') });
});

test('a restore refuses a damaged dump, and settings without the service key', async () => {
  await backUp();
  expect((await restore({ SERVICE_KEY: otherKey })).output).toContain('The backup needs the service keys');
  appendFileSync(join(onlyBackup('data-keys'), 'data_keys.dump'), 'x');
  expect((await restore()).output).toContain('data_keys.dump is damaged');
});

test('a restore refuses an erasure log that does not know the backup, unless it is told that the log is lost', async () => {
  await backUp();
  const lost = { ERASURE_LOG: join(folder, 'other-log') };
  expect((await restore(lost)).output).toContain('The erasure log does not know the backup');
  expect((await restore(lost, '--without-erasure-log')).output).toContain('Temporal');
});

test('an interrupted backup is no backup', async () => {
  const failed = await run(runBackup, ['--to', backups()], { DATABASE_URL: postgres.address('target') });
  expect(failed.code).toBe(1);
  expect(readdirSync(join(backups(), 'main')).every((name) => name.startsWith('.incomplete-'))).toBe(true);
  expect((await restore()).output).toContain('There is no backup in');
  expect(existsSync(join(backups(), 'data-keys'))).toBe(true);
});
