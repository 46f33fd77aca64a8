import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogger } from '../../platform/logger';
import { runMigrate } from '../../platform/postgres/migrate.cli';
import { migrate, openPool } from '../../platform/postgres/postgres';
import { startPostgres, type TestPostgres } from '../support/postgres';

const logger = createLogger('test', 'silent');
const files = readdirSync(path.join(__dirname, '..', '..', 'platform', 'migrations'));
let server: TestPostgres;
let migratedUrl: string;
beforeAll(async () => {
  server = await startPostgres();
  migratedUrl = await server.createDatabase();
});
afterAll(() => server.stop());

/** Creates an empty database without a schema, and drops it after `work`. */
async function withFreshDatabase(name: string, work: (url: string) => Promise<void>): Promise<void> {
  const pool = openPool(migratedUrl, logger);
  await pool.query(`create database ${name}`);
  try {
    await work(Object.assign(new URL(migratedUrl), { pathname: name }).href);
  } finally {
    await pool.query(`drop database ${name} with (force)`);
    await pool.end();
  }
}

async function runCommand(environment: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const output = { stdout: '', stderr: '' };
  const streamTo = (stream: keyof typeof output) => ({
    write: (text: string | Uint8Array) => Boolean((output[stream] += text)),
  });
  const context = { environment: () => environment, stdout: streamTo('stdout'), stderr: streamTo('stderr') };
  return { code: await runMigrate(args, context), ...output };
}

test('five processes that start at the same time migrate the schema once', async () => {
  await withFreshDatabase('fresh', async (url) => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url, logger)));
    expect(applied.flat().length).toBe(files.length);
    const freshPool = openPool(url, logger);
    const { rows } = await freshPool.query('select count(*)::int as count from migrations');
    expect(rows).toEqual([{ count: files.length }]);
    await freshPool.end();
  });
});

test('npm run migrate names the migrations that it has run, and the next run finds nothing to do', async () => {
  await withFreshDatabase('fresh_for_command', async (url) => {
    const environment = { DATABASE_URL: url, COUNTERSIGN_ENV: 'production' };
    const names = files.map((file) => file.replace('.sql', '')).toSorted();
    expect(await runCommand(environment)).toEqual({
      code: 0,
      stdout: `${names.join('\n')}\nThe schema is up to date.\n`,
      stderr: '',
    });
    expect(await runCommand(environment)).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
  });
});

test('npm run migrate fails for a role that bypasses row-level security, before any process starts with it', async () => {
  const environment = { DATABASE_URL: server.superuserAddress(migratedUrl), COUNTERSIGN_ENV: 'production' };
  expect(await runCommand(environment)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the role is a superuser or has BYPASSRLS'),
  });
});

test('npm run migrate names the missing setting, and rejects arguments', async () => {
  expect(await runCommand({})).toMatchObject({ code: 1, stderr: expect.stringContaining('DATABASE_URL') });
  expect(await runCommand({}, 'down')).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
  expect(await runCommand({}, '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run migrate') });
});
