import { setTimeout as pause } from 'node:timers/promises';
import { boundsOf } from '../../domain/flows/bounds';
import type { ConfirmStep, FlowDefinition } from '../../domain/flows/definition';
import { emailToken } from '../../flows/confirmations';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import * as contract from '../../workflows/contract';
import { propose } from '../support/build';
import { planOf } from '../support/flow-plan';
import { refusedWith } from '../support/refused';
import { replay } from '../support/replay';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const exits = { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' };
const findRun = async (told: Told) => {
  const run = (await told.state()).runs?.at(-1);
  if (!run) throw new Error('There is no run.');
  return run;
};
const secondsOf = async (told: Told) => {
  const { startedAt, endedAt = '' } = await findRun(told);
  return (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
};

test('a repeat whose answer is no longer remembered starts nothing twice', async () => {
  const told = await world.transaction();
  const plan = planOf(smsTokenFlow, told.id);
  const { runId } = await told.startPlan(plan);
  expect(await told.startPlan(plan)).toMatchObject({ runId, status: 'Running' });
  await told.cancelFlow(runId);
  const proposal = propose(emailToken, told.id);
  await told.request(emailToken, undefined, proposal);
  await world.env.sleep('61s');
  expect(await told.request(emailToken, undefined, proposal)).toMatchObject({ status: 'Waiting' });
  await told.link('a');
  await told.link('a');
  const { runs, confirmations, biometrics } = await told.state();
  expect([runs?.length, confirmations.length, biometrics?.length]).toEqual([1, 2, 1]);
  expect(told.messages()).toHaveLength(2);
  await replay(await told.history());
});

test('a run is readable before its first message is sent', async () => {
  const told = await world.transaction();
  const plan = planOf(smsTokenFlow, told.id);
  let answer = (): void => undefined;
  world.activities.providerAnswers = new Promise((resolve) => {
    answer = resolve;
  });
  const before = world.activities.attempted.length;
  const starting = told.startPlan(plan);
  while (world.activities.attempted.length === before) await pause(20);
  expect((await told.view()).flowRuns).toMatchObject([{ runId: plan.runId, status: 'Running', step: 'code' }]);
  answer();
  expect((await told.view()).flowRuns).toEqual([await starting]);
  await replay(await told.history());
});

test('an unexpected error in a step cancels the run, and the transaction stays usable', async () => {
  const told = await world.transaction();
  const plan = { ...planOf(smsTokenFlow, told.id), confirmations: {} };
  const { first: _, ...withoutCode } = plan;
  expect(await told.startPlan(withoutCode)).toMatchObject({
    status: 'Canceled',
    path: [{ step: 'code', reason: 'FaultOfService' }],
  });
  expect(await told.startFlow(smsTokenFlow)).toMatchObject({ status: 'Running' });
  await replay(await told.history());
});

describe('a further code that the provider rejects', () => {
  test('leaves the first code valid', async () => {
    const told = await world.transaction();
    const { runId } = await told.startFlow(emailTokenFlow);
    await world.env.sleep('61s');
    world.activities.fates.push('DestinationRefused');
    expect(await refusedWith(told.resendFlow(runId))).toMatchObject({ type: 'DestinationRefused' });
    expect(await told.answerFlow(runId, '000000')).toMatchObject({ answer: { status: 'Invalid' } });
    expect(await told.answerFlow(runId, told.code(emailToken))).toMatchObject({
      answer: { status: 'Valid' },
      run: { outcome: 'Confirmed' },
    });
    await replay(await told.history());
  });

  test('ends the run when the first code expires', async () => {
    const told = await world.transaction();
    const { runId } = await told.startFlow(emailTokenFlow);
    await world.env.sleep('61s');
    world.activities.fates.push('DestinationRefused');
    await refusedWith(told.resendFlow(runId));
    await world.env.sleep('31m');
    expect(await findRun(told)).toMatchObject({ outcome: 'Expired' });
    expect(await secondsOf(told)).toBeLessThan(1_860);
    await replay(await told.history());
  });
});

test('a new code has its full lifetime, and counts against the limit', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(emailTokenFlow);
  for (let send = 2; send <= 3; send += 1) {
    await world.env.sleep('29m');
    await told.resendFlow(runId);
  }
  await world.env.sleep('31m');
  expect(await findRun(told)).toMatchObject({ outcome: 'Expired' });
  const seconds = await secondsOf(told);
  expect(seconds).toBeGreaterThan(2 * 29 * 60 + 1_800 - 5);
  expect(seconds).toBeLessThanOrEqual(boundsOf(emailTokenFlow).seconds);
});

test('a flow with only an outcome ends immediately', async () => {
  const told = await world.transaction();
  const flow: FlowDefinition = {
    name: 'nothing',
    version: 1,
    start: 'end',
    steps: { end: { kind: 'outcome', outcome: 'Over' } },
  };
  expect(await told.startFlow(flow)).toMatchObject({ status: 'Completed', outcome: 'Over', path: [{ step: 'end' }] });
  expect(await findRun(told)).toMatchObject({ outcome: 'Over' });
}, 15_000);

test('a start is saved before its answer, even if the first step ends immediately', async () => {
  const told = await world.transaction();
  world.activities.fates.push('DestinationRefused');
  const run = await told.startFlow({
    ...emailTokenFlow,
    steps: {
      ...emailTokenFlow.steps,
      code: { ...emailTokenFlow.steps['code'], exits: { ...exits, Failed: 'pause' } } as ConfirmStep,
      pause: { kind: 'wait', seconds: 60, then: 'expired' },
    },
  });
  expect((await findRun(told)).id).toBe(run.runId);
});

test('a first step that has to wait is saved before the answer', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(emailTokenFlow);
  await told.answerFlow(runId, told.code(emailToken));
  const again = await told.startFlow(emailTokenFlow);
  expect(again).toMatchObject({ status: 'Running', step: 'code', path: [{ step: 'code' }] });
  expect(again.awaited).toMatchObject({ kind: 'time' });
  expect((await findRun(told)).id).toBe(again.runId);
});

test('a condition that cannot be evaluated leads to else, with the reason', async () => {
  const told = await world.transaction();
  world.activities.rule = () => {
    throw new Error('the engine of conditions is away');
  };
  await told.startFlow({
    name: 'judging',
    version: 1,
    start: 'judge',
    steps: {
      judge: { kind: 'decide', rules: [{ when: 'score < 40.0', then: 'no' }], else: 'yes' },
      yes: { kind: 'outcome', outcome: 'Yes' },
      no: { kind: 'outcome', outcome: 'No' },
    },
  });
  world.activities.rule = () => null;
  expect(await findRun(told)).toMatchObject({
    outcome: 'Yes',
    path: [{ step: 'judge', exit: 'else', reason: 'NotDecided' }, { step: 'yes' }],
  });
  await replay(await told.history());
});

test('an unexpected error cancels only the run, and other commands continue', async () => {
  const told = await world.transaction();
  const plan = { ...planOf(emailTokenFlow, told.id), confirmations: {} };
  expect(await told.startPlan(plan)).toMatchObject({ status: 'Canceled' });
  expect(await findRun(told)).toMatchObject({ status: 'Canceled', path: [{ step: 'code', exit: 'Canceled' }] });
  await told.request(emailToken);
  expect((await told.answer(emailToken, told.code(emailToken))).status).toBe('Valid');
});

const pathOf = async (one: Told, id: string) => (await one.state()).runs?.find((run) => run.id === id)?.path[0];

test('an undelivered message leaves the step with the reason', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(smsTokenFlow);
  await told.handle.signal(contract.messageProgressed, {
    sendId: told.lastMessage().sendId,
    status: 'failed',
    code: '30005',
  });
  await told.view();
  expect(await pathOf(told, runId)).toMatchObject({ exit: 'Failed', reason: 'Undelivered 30005' });
  const other = await world.transaction();
  world.activities.fates.push('outage', 'DestinationRefused');
  const started = await other.startFlow(smsTokenFlow);
  await world.env.sleep('60s');
  expect(await pathOf(other, started.runId)).toMatchObject({ exit: 'Failed', reason: 'DestinationRefused 21211' });
});

test('a rejected message leaves the step with the code of the provider', async () => {
  const told = await world.transaction();
  world.activities.fates.push('ProviderRefused');
  const { runId, path } = await told.startFlow(smsTokenFlow);
  expect(path[0]).toMatchObject({ exit: 'Failed', reason: 'ProviderRefused 21211' });
  expect(await pathOf(told, runId)).toMatchObject({ reason: 'ProviderRefused 21211' });
  await replay(await told.history());
});
