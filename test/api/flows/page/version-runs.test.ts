import type { FlowRun } from '../../../../domain/flows/run';
import { type FlowWorld, buildPauseFlow } from '../flow-world';
import { buildRun, type Visit } from './build-run';
import { saveRuns, openWorldWithStepUp, stepUpNameAndVersion } from './flows-page-world';

let world: FlowWorld;
let otherToken: string;
beforeAll(async () => {
  world = await openWorldWithStepUp();
  otherToken = await world.api.issueToken('other');
});
afterAll(() => world.close());

const versionPath = '/v1/flows/step-up/versions/1';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const completedAs = (outcome: string) => ({ status: 'Completed', outcome }) as const;
/** A flow run that asks for a code. `hours`: how long ago it started. `visits`: its visits after the step `risk`. */
const buildCodeRun = (hours: number, visits: readonly Visit[], end?: Parameters<typeof buildRun>[3]) =>
  buildRun(stepUpNameAndVersion, hoursAgo(hours), [['risk', 1, '2', 'The score is 60 or more'], ...visits], end);

const confirmedRun = buildCodeRun(1, [['code', 40, 'Valid'], ['confirmed']], completedAs('Confirmed'));
const expiredRun = buildCodeRun(2, [['code', 300, 'Expired'], ['expired']], completedAs('Expired'));
const waitingRun = buildCodeRun(3, [['code']]);
const canceledRun = buildCodeRun(4, [['code', 9, 'Canceled']], { status: 'Canceled' });
const biometricsRun = buildRun(stepUpNameAndVersion, hoursAgo(5), [
  ['risk', 1, 'else'],
  ['tell', 1, 'Failed'],
  ['pictures'],
]);
const undecidedRun = buildRun(
  stepUpNameAndVersion,
  hoursAgo(6),
  [['risk', 1, 'Failed', 'NotDecided']],
  completedAs('NotDecided'),
);
const oldRun = buildCodeRun(8 * 24, [['code', 40, 'Valid'], ['confirmed']], completedAs('Confirmed'));

interface RunList {
  runs: { runId: string; transactionId: string; path: object[] }[];
}
const listRuns = async (query = '', token?: string) =>
  (await world.get(`${versionPath}/runs${query}`, token ? { token } : {})).body as RunList;
const listRunIds = async (query?: string) => (await listRuns(query)).runs.map(({ runId }) => runId);
const idsOf = (...runs: FlowRun[]) => runs.map(({ id }) => id);

let expiredTransactionId: string;
beforeAll(async () => {
  const states = [
    await saveRuns(world, [confirmedRun, oldRun]),
    await saveRuns(world, [expiredRun, waitingRun, canceledRun, biometricsRun, undecidedRun]),
  ];
  expiredTransactionId = states[1]?.id ?? '';
  await saveRuns(world, [buildRun(stepUpNameAndVersion, hoursAgo(1), [['risk']])], { tenant: 'other' });
  await saveRuns(world, [buildRun(['step-up', 2], hoursAgo(1), [['risk']])]);
});

it('the list has exactly the flow runs that match its query, newest first', async () => {
  expect(await listRunIds()).toEqual(
    idsOf(confirmedRun, expiredRun, waitingRun, canceledRun, biometricsRun, undecidedRun),
  );
  expect(await listRunIds('?step=code')).toEqual(idsOf(confirmedRun, expiredRun, waitingRun, canceledRun));
  expect(await listRunIds('?step=code&counts=entered')).toEqual(
    idsOf(confirmedRun, expiredRun, waitingRun, canceledRun),
  );
  expect(await listRunIds('?step=code&counts=current')).toEqual(idsOf(waitingRun));
  expect(await listRunIds('?step=confirmed&days=90')).toEqual(idsOf(confirmedRun, oldRun));
  expect(await listRunIds('?outcome=Expired')).toEqual(idsOf(expiredRun));
  expect(await listRunIds('?outcome=Undecided')).toEqual([]);
  expect(await listRunIds('?status=Running')).toEqual(idsOf(waitingRun, biometricsRun));
  expect(await listRunIds('?status=Canceled')).toEqual(idsOf(canceledRun));
  expect(await listRunIds('?status=Completed')).toEqual(idsOf(confirmedRun, expiredRun, undecidedRun));
  expect(await listRunIds('?outcome=NotDecided')).toEqual(idsOf(undecidedRun));
  expect(await listRunIds('?limit=2&days=90')).toEqual(idsOf(confirmedRun, expiredRun));
});

it('the list has the path, times and reasons of a flow run, and no personal data', async () => {
  const { headers, body } = await world.get(`${versionPath}/runs?outcome=Expired`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    name: 'step-up',
    version: 1,
    since: expect.any(String),
    runs: [
      {
        runId: expiredRun.id,
        transactionId: expiredTransactionId,
        status: 'Completed',
        outcome: 'Expired',
        startedAt: expiredRun.startedAt,
        endedAt: expiredRun.endedAt,
        path: [
          { step: 'risk', exit: '2', reason: 'The score is 60 or more' },
          { step: 'code', exit: 'Expired' },
          { step: 'expired' },
        ],
      },
    ],
  });
});

it('after a flow run leaves a step, the list of this step still has the flow run, but the list with counts=current does not', async () => {
  const run = buildCodeRun(0, [['code']]);
  const { id } = await saveRuns(world, [run]);
  expect(await listRunIds('?step=code&counts=current')).toEqual(idsOf(run, waitingRun));
  const movedRun = buildCodeRun(0, [['code', 1, 'Blocked'], ['tell', 1, 'Failed'], ['pictures']]);
  await saveRuns(world, [{ ...movedRun, id: run.id }], { id, version: 2 });
  expect(await listRunIds('?step=code&counts=current')).toEqual(idsOf(waitingRun));
  expect((await listRunIds('?step=code'))[0]).toBe(run.id);
  expect(await listRunIds('?step=pictures&counts=current')).toEqual([run.id, biometricsRun.id]);
});

it('the list has at most 50 flow runs', async () => {
  await world.put('many', buildPauseFlow(1));
  const runs = Array.from({ length: 60 }, (_, minute) => buildRun(['many', 1], hoursAgo(minute / 60), [['pause']]));
  await saveRuns(world, runs);
  const { body } = await world.get('/v1/flows/many/versions/1/runs?step=pause');
  expect((body as RunList).runs.map(({ runId }) => runId)).toEqual(idsOf(...runs.slice(0, 50)));
});

it('the list of flow runs needs the right tenant and scope', async () => {
  expect(await listRuns('', otherToken)).toMatchObject({ code: 'flow_version_not_found' });
  const token = await world.api.issueToken('local', ['transaction:read']);
  expect(await listRuns('', token)).toMatchObject({ code: 'insufficient_scope' });
  const otherRuns = (await world.get('/v1/flows/sms-token/versions/1/runs', { token: otherToken })).body as RunList;
  const ours = buildRun(['sms-token', 1], hoursAgo(1), [['code']]);
  await saveRuns(world, [ours]);
  expect(otherRuns.runs).toEqual([]);
  const theirs = (await world.get('/v1/flows/sms-token/versions/1/runs?step=code', { token: otherToken }))
    .body as RunList;
  const mine = (await world.get('/v1/flows/sms-token/versions/1/runs?step=code')).body as RunList;
  expect([theirs.runs, mine.runs.map(({ runId }) => runId)]).toEqual([[], idsOf(ours)]);
});

it.each([
  ['step=none', 'validation_failed', 'step'],
  ['step=toString', 'validation_failed', 'step'],
  ['outcome=code', 'validation_failed', 'outcome'],
  ['status=Done', 'validation_failed', 'status'],
  ['step=code&outcome=Expired', 'validation_failed', 'step'],
  ['step=code&counts=all', 'validation_failed', 'counts'],
  ['counts=current', 'validation_failed', 'counts'],
  ['limit=51', 'validation_failed', 'limit'],
  ['days=0', 'validation_failed', 'days'],
  ['after=x', 'unknown_field', 'after'],
])('the query %s is rejected', async (query, problem, field) => {
  const { status, body } = await world.get(`${versionPath}/runs?${query}`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: problem, errors: { [field]: [expect.any(String)] } });
});

it('the field `ended` counts flow runs that ended in the last seven days, and ignores `days`, which selects by the start', async () => {
  await world.put('ends', buildPauseFlow(1));
  const flowVersion: readonly ['ends', number] = ['ends', 1];
  const day = (daysBefore: number) => new Date(Date.now() - daysBefore * 86_400_000).toISOString().slice(0, 10);
  /** A flow run that ended `daysBefore` days ago, `secondsBefore` seconds after its start. */
  const buildEndedRun = (daysBefore: number, secondsBefore: number, end: Parameters<typeof buildRun>[3]) => {
    const startedAt = new Date(Date.parse(`${day(daysBefore)}T00:00:01Z`) - secondsBefore * 1_000).toISOString();
    return buildRun(flowVersion, startedAt, [['pause', secondsBefore], ['end']], end);
  };
  await saveRuns(world, [
    buildEndedRun(0, 0, completedAs('Done')),
    // This flow run took ten days.
    buildEndedRun(0, 864_000, completedAs('Done')),
    buildEndedRun(1, 5, completedAs('Done')),
    buildEndedRun(6, 0, { status: 'Canceled' }),
    buildEndedRun(7, 0, completedAs('Done')),
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
