import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFilesStore } from '../../../images/object-stores';
import { createErasureLog, type ErasureLog, type LoggedErasure } from '../../../store/privacy/erasure-log';

const dayMs = 86_400_000;
const today = '2026-03-10T10:00:00.000Z';
const ids = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'countersign-erasures-'));
  jest.useFakeTimers({ now: new Date(today), doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

async function readAll(log: ErasureLog, since: string): Promise<LoggedErasure[]> {
  const found: LoggedErasure[] = [];
  for await (const one of log.readSince(new Date(since))) found.push(one);
  return found;
}

test('every process adds to the same log, and a repeated erasure is one entry', async () => {
  const [api, worker] = [createErasureLog(createFilesStore(folder)), createErasureLog(createFilesStore(folder))];
  await Promise.all([
    api.append({ tenant: 'acme', id: ids[0] }, 'transaction'),
    worker.append({ tenant: 'acme', id: ids[0] }, 'transaction'),
    worker.append({ tenant: 'other', id: ids[1] }, 'images'),
  ]);
  expect(await readAll(api, today)).toEqual([
    { tenant: 'acme', id: ids[0], part: 'transaction' },
    { tenant: 'other', id: ids[1], part: 'images', at: today },
  ]);
});

test('a restore reads from the day before its backup, because the clocks of two machines differ', async () => {
  const log = createErasureLog(createFilesStore(folder));
  await log.append({ tenant: 'acme', id: ids[0] }, 'transaction');
  jest.setSystemTime(Date.parse(today) + dayMs);
  await log.append({ tenant: 'acme', id: ids[1] }, 'transaction');
  const idsSince = async (since: string) => (await readAll(log, since)).map(({ id }) => id);
  expect(await idsSince('2026-03-11T00:00:00.001Z')).toEqual(ids);
  expect(await idsSince('2026-03-12T00:00:00Z')).toEqual([ids[1]]);
  expect(await idsSince('2026-03-13T00:00:00Z')).toEqual([]);
});

test('old erasures and old backups are removed', async () => {
  const log = createErasureLog(createFilesStore(folder));
  for (const day of ['09', '11', '12']) await log.appendBackup(`2026-03-${day}t10-00-00z`);
  await log.append({ tenant: 'acme', id: ids[0] }, 'transaction');
  jest.setSystemTime(Date.parse(today) + 2 * dayMs);
  await log.append({ tenant: 'acme', id: ids[1] }, 'transaction');
  expect(await log.removeBefore(new Date(Date.parse(today) + dayMs))).toBe(2);
  expect((await readAll(log, today)).map(({ id }) => id)).toEqual([ids[1]]);
  expect(await log.hasBackup('2026-03-09t10-00-00z')).toBe(false);
  expect(await log.hasBackup('2026-03-11t10-00-00z')).toBe(true);
  expect(await log.hasBackup('2026-03-12t10-00-00z')).toBe(true);
});
