import type { FlowRun } from '../../../../domain/flows/run';
import { type FlowWorld, pauseOf } from '../flow-world';
import { buildRun, type Visit } from './build-run';
import { saveRuns, openStepUp, stepUp } from './flows-page-world';

let world: FlowWorld;
let other: string;
beforeAll(async () => {
  world = await openStepUp();
  other = await world.api.tokenOf('other');
}, 60_000);
afterAll(() => world.close());

const version = '/v1/flows/step-up/versions/1';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const completed = (outcome: string) => ({ status: 'Completed', outcome }) as const;
const code = (hours: number, visits: readonly Visit[], end?: Parameters<typeof buildRun>[3]) =>
  buildRun(stepUp, hoursAgo(hours), [['risk', 1, '2', 'The score is 60 or more'], ...visits], end);

const confirmed = code(1, [['code', 40, 'Valid'], ['confirmed']], completed('Confirmed'));
const lost = code(2, [['code', 300, 'Expired'], ['expired']], completed('Expired'));
const waiting = code(3, [['code']]);
const canceled = code(4, [['code', 9, 'Canceled']], { status: 'Canceled' });
const pictures = buildRun(stepUp, hoursAgo(5), [['risk', 1, 'else'], ['tell', 1, 'Failed'], ['pictures']]);
const old = code(8 * 24, [['code', 40, 'Valid'], ['confirmed']], completed('Confirmed'));

interface Listed {
  runs: { runId: string; transactionId: string; path: object[] }[];
}
const listRuns = async (query = '', token?: string) =>
  (await world.get(`${version}/runs${query}`, token ? { token } : {})).body as Listed;
const found = async (query?: string) => (await listRuns(query)).runs.map(({ runId }) => runId);
const ids = (...runs: FlowRun[]) => runs.map(({ id }) => id);

let transaction: string;
beforeAll(async () => {
  const states = [await saveRuns(world, [confirmed, old]), await saveRuns(world, [lost, waiting, canceled, pictures])];
  transaction = states[1]?.id ?? '';
  await saveRuns(world, [buildRun(stepUp, hoursAgo(1), [['risk']])], { tenant: 'other' });
  await saveRuns(world, [buildRun(['step-up', 2], hoursAgo(1), [['risk']])]);
});

it('lists the runs behind each number, newest first', async () => {
  expect(await found()).toEqual(ids(confirmed, lost, waiting, canceled, pictures));
  expect(await found('?step=code')).toEqual(ids(confirmed, lost, waiting, canceled));
  expect(await found('?step=code&counts=entered')).toEqual(ids(confirmed, lost, waiting, canceled));
  expect(await found('?step=code&counts=current')).toEqual(ids(waiting));
  expect(await found('?step=confirmed&days=90')).toEqual(ids(confirmed, old));
  expect(await found('?outcome=Expired')).toEqual(ids(lost));
  expect(await found('?outcome=Undecided')).toEqual([]);
  expect(await found('?status=Running')).toEqual(ids(waiting, pictures));
  expect(await found('?status=Canceled')).toEqual(ids(canceled));
  expect(await found('?limit=2&days=90')).toEqual(ids(confirmed, lost));
});

it('returns the path, times and reasons of a run without personal data', async () => {
  const { headers, body } = await world.get(`${version}/runs?outcome=Expired`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    name: 'step-up',
    version: 1,
    since: expect.any(String),
    runs: [
      {
        runId: lost.id,
        transactionId: transaction,
        status: 'Completed',
        outcome: 'Expired',
        startedAt: lost.startedAt,
        endedAt: lost.endedAt,
        path: [
          { step: 'risk', exit: '2', reason: 'The score is 60 or more' },
          { step: 'code', exit: 'Expired' },
          { step: 'expired' },
        ],
      },
    ],
  });
});

it('moves a run from its earlier step to its current one', async () => {
  const run = code(0, [['code']]);
  const { id } = await saveRuns(world, [run]);
  expect(await found('?step=code&counts=current')).toEqual(ids(run, waiting));
  const on = code(0, [['code', 1, 'Blocked'], ['tell', 1, 'Failed'], ['pictures']]);
  await saveRuns(world, [{ ...on, id: run.id }], { id, version: 2 });
  expect(await found('?step=code&counts=current')).toEqual(ids(waiting));
  expect((await found('?step=code'))[0]).toBe(run.id);
  expect(await found('?step=pictures&counts=current')).toEqual([run.id, pictures.id]);
});

it('lists at most 50 runs', async () => {
  await world.put('many', pauseOf(1));
  const runs = Array.from({ length: 60 }, (_, minute) => buildRun(['many', 1], hoursAgo(minute / 60), [['pause']]));
  await saveRuns(world, runs);
  const { body } = await world.get('/v1/flows/many/versions/1/runs?step=pause');
  expect((body as Listed).runs.map(({ runId }) => runId)).toEqual(ids(...runs.slice(0, 50)));
});

it('shows runs only with the right tenant and scope', async () => {
  expect(await listRuns('', other)).toMatchObject({ code: 'flow_version_not_found' });
  const token = await world.api.tokenOf('local', ['transaction:read']);
  expect(await listRuns('', token)).toMatchObject({ code: 'insufficient_scope' });
  const shared = (await world.get('/v1/flows/sms-token/versions/1/runs', { token: other })).body as Listed;
  const ours = buildRun(['sms-token', 1], hoursAgo(1), [['code']]);
  await saveRuns(world, [ours]);
  expect(shared.runs).toEqual([]);
  const theirs = (await world.get('/v1/flows/sms-token/versions/1/runs?step=code', { token: other })).body as Listed;
  const mine = (await world.get('/v1/flows/sms-token/versions/1/runs?step=code')).body as Listed;
  expect([theirs.runs, mine.runs.map(({ runId }) => runId)]).toEqual([[], ids(ours)]);
});

it.each([
  ['step=none', 'validation_failed', 'step'],
  ['step=toString', 'validation_failed', 'step'],
  ['outcome=code', 'validation_failed', 'outcome'],
  ['status=Completed', 'validation_failed', 'status'],
  ['step=code&outcome=Expired', 'validation_failed', 'step'],
  ['step=code&counts=all', 'validation_failed', 'counts'],
  ['counts=current', 'validation_failed', 'counts'],
  ['limit=51', 'validation_failed', 'limit'],
  ['days=0', 'validation_failed', 'days'],
  ['after=x', 'unknown_field', 'after'],
])('rejects the query %s', async (query, problem, field) => {
  const { status, body } = await world.get(`${version}/runs?${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: problem, errors: { [field]: [expect.any(String)] } });
});

it('counts ended runs by day, whenever they started', async () => {
  await world.put('ends', pauseOf(1));
  const ends: readonly ['ends', number] = ['ends', 1];
  const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10);
  const ended = (before: number, secondsBefore: number, end: Parameters<typeof buildRun>[3]) => {
    const startedAt = new Date(Date.parse(`${day(before)}T00:00:01Z`) - secondsBefore * 1_000).toISOString();
    return buildRun(ends, startedAt, [['pause', secondsBefore], ['end']], end);
  };
  await saveRuns(world, [
    ended(0, 0, completed('Done')),
    // Started ten days before its end.
    ended(0, 864_000, completed('Done')),
    ended(1, 5, completed('Done')),
    ended(6, 0, { status: 'Canceled' }),
    ended(7, 0, completed('Done')),
  ]);
  const { body } = await world.get('/v1/flows/ends/versions/1/counts?days=1');
  const none = { outcomes: {}, canceled: 0 };
  expect((body as { ended: object[] }).ended).toEqual([
    { day: day(0), outcomes: { Done: 2 }, canceled: 0 },
    { day: day(1), outcomes: { Done: 1 }, canceled: 0 },
    ...[2, 3, 4, 5].map((before) => ({ day: day(before), ...none })),
    { day: day(6), outcomes: {}, canceled: 1 },
  ]);
});
