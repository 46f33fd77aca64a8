import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BackupWorld } from './backup-world';

let world: BackupWorld;
beforeAll(async () => {
  world = await BackupWorld.start();
});
afterAll(() => world.postgres.stop());
beforeEach(() => world.newFolder());
afterEach(() => world.removeFolder());

const otherKey = Buffer.alloc(32, 2).toString('base64');
const backUp = async () => expect(await world.backUp()).toMatchObject({ code: 0 });

test('a restore changes nothing while Temporal does not answer', async () => {
  await backUp();
  const answer = await world.restore({ DATABASE_URL: world.postgres.address('source') });
  expect(answer).toEqual({ code: 1, output: expect.stringContaining('Temporal at 127.0.0.1:1 does not answer') });
});

test('a restore refuses a damaged dump, and settings without the service key', async () => {
  await backUp();
  expect((await world.restore({ SERVICE_KEY: otherKey })).output).toContain('The backup needs the service keys');
  appendFileSync(join(world.backups, 'data-keys', world.list('data-keys')[0] ?? '', 'data_keys.dump'), 'x');
  expect((await world.restore()).output).toContain('data_keys.dump is damaged');
});

test('a restore refuses an erasure log that does not know the backup, unless it is told that the log is lost', async () => {
  await backUp();
  const lost = { ERASURE_LOG: join(world.folder, 'other-log') };
  expect((await world.restore(lost)).output).toContain('The erasure log does not know the backup');
  expect((await world.restore(lost, '--without-erasure-log')).output).toContain('Temporal');
});

test('tables that are older than the erasure log can be restored with newer data keys, but older data keys cannot', async () => {
  await backUp();
  await backUp();
  const [older = '', newer = ''] = world.list('main');
  rmSync(join(world.images, 'backups-of-erasures', older));
  expect((await world.restore({}, '--main', older)).output).toContain('Temporal');
  const refused = await world.restore({}, '--main', newer, '--keys', older);
  expect(refused.output).toContain(`The erasure log does not know the backup ${older}`);
}, 60_000);

test('an interrupted backup is no backup', async () => {
  // There is no pg_dump.
  expect(await world.backUp({ PATH: world.folder })).toMatchObject({ code: 1 });
  expect([...world.list('main'), ...world.list('data-keys')]).toEqual([]);
  expect((await world.restore()).output).toContain('There is no backup in');
});
