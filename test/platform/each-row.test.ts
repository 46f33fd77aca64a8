import { eachRow } from '../../platform/each-row';
import { createLogger } from '../../platform/logger';

const timeout = () => Promise.reject(Object.assign(new Error('canceling statement'), { code: '57014' }));
const options = () => ({ task: 'try', idsOf: (id: string) => ({ id }), logger: { error: jest.fn() } });

test('after an error that looks like an outage, a successful probe shows that it belongs to the row', async () => {
  const work = async (row: string) => (row.startsWith('slow') ? timeout() : row);
  const rows = ['slow-1', 'slow-2', 'slow-3', 'slow-4', 'good'];
  const skipped = rows.slice(0, -1);
  expect(await eachRow(rows, work, { ...options(), probe: async () => undefined })).toEqual({
    results: ['good'],
    skipped,
  });
});

test.each([
  ['a probe that fails', { probe: timeout }],
  ['no probe', {}],
])('with %s, the first such error ends the work', async (_, probe) => {
  const work = jest.fn(timeout);
  await expect(eachRow(['a', 'b'], work, { ...options(), ...probe })).rejects.toMatchObject({ code: '57014' });
  expect(work).toHaveBeenCalledTimes(1);
});

test('during an outage, the rows that wait are not started, also if several run at the same time', async () => {
  const started: string[] = [];
  let startOther = (): void => undefined;
  const otherStarted = new Promise<void>((resolve) => {
    startOther = resolve;
  });
  const work = async (row: string) => {
    started.push(row);
    if (row === 'b') startOther();
    await otherStarted;
    if (row === 'a') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    return row;
  };
  const rows = ['a', 'b', 'c', 'd', 'e'];
  await expect(eachRow(rows, work, { ...options(), concurrency: 2 })).rejects.toThrow('connect');
  // Without the guard, the other rows would start now.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(started).toEqual(['a', 'b']);
});

test('an error that is no outage is skipped without a probe', async () => {
  const probe = jest.fn(timeout);
  const work = async () => Promise.reject(new TypeError('bad row'));
  expect(await eachRow(['a'], work, { ...options(), probe })).toEqual({ results: [], skipped: ['a'] });
  expect(probe).not.toHaveBeenCalled();
});

test('after its time is over, no row is started, and the rows that are left are not skipped', async () => {
  const work = async (row: string) => row;
  expect(await eachRow(['a', 'b', 'c'], work, { ...options(), startsForMs: 0 })).toEqual({
    results: ['a'],
    skipped: [],
  });
});

test('other work runs between two rows, also if no row waits for anything', async () => {
  const order: string[] = [];
  let isDone = false;
  const runOthers = () => {
    order.push('other');
    if (!isDone) setImmediate(runOthers);
  };
  setImmediate(runOthers);
  await eachRow(['a', 'b', 'c'], async (row) => order.push(row), {
    task: 'test',
    idsOf: (row) => ({ row }),
    logger: createLogger('test', 'silent'),
  });
  isDone = true;
  const [a, b, c] = ['a', 'b', 'c'].map((row) => order.indexOf(row));
  expect(order.slice(a, b)).toContain('other');
  expect(order.slice(b, c)).toContain('other');
});
