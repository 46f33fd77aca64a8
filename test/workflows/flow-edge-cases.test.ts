import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { boundsOf } from '../../domain/flows/bounds';
import type { ConfirmStep, FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { ComputeBusy } from '../../platform/compute/compute-pool';
import * as contract from '../../workflows/contract/commands';
import { propose } from '../support/build';
import { planOf } from '../support/flow-plan';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const exits = { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' };
const findRun = async (transaction: TestTransaction) => {
  const run = (await transaction.readState()).runs?.at(-1);
  if (!run) throw new Error('There is no run.');
  return run;
};
const durationSecondsOf = async (transaction: TestTransaction) => {
  const { startedAt, endedAt = '' } = await findRun(transaction);
  return (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
};

test('if a command is repeated after its answer was forgotten, no second flow run starts, and no second message is sent', async () => {
  const transaction = await world.createTransaction();
  const plan = planOf(smsTokenFlow, transaction.id);
  const { runId } = await transaction.startPlan(plan);
  expect(await transaction.startPlan(plan)).toMatchObject({ runId, status: 'Running' });
  await transaction.cancelFlow(runId);
  const proposal = propose(emailToken, transaction.id);
  await transaction.request(emailToken, undefined, proposal);
  await world.env.sleep('61s');
  expect(await transaction.request(emailToken, undefined, proposal)).toMatchObject({ status: 'Waiting' });
  await transaction.requestLink('a');
  await transaction.requestLink('a');
  const { runs, confirmations, biometrics } = await transaction.readState();
  expect([runs?.length, confirmations.length, biometrics?.length]).toEqual([1, 2, 1]);
  expect(transaction.messages()).toHaveLength(2);
  await replay(await transaction.fetchHistory());
});

test('a flow run can be read before its first message is sent', async () => {
  const transaction = await world.createTransaction();
  const plan = planOf(smsTokenFlow, transaction.id);
  let acceptMessage = (): void => undefined;
  world.activities.providerReady = new Promise((resolve) => {
    acceptMessage = resolve;
  });
  const countBefore = world.activities.deliveryAttempts.length;
  const pendingStart = transaction.startPlan(plan);
  while (world.activities.deliveryAttempts.length === countBefore) await pause(20);
  expect((await transaction.readView()).flowRuns).toMatchObject([
    { runId: plan.runId, status: 'Running', step: 'code' },
  ]);
  acceptMessage();
  expect((await transaction.readView()).flowRuns).toEqual([await pendingStart]);
  await replay(await transaction.fetchHistory());
});

test('an unexpected error in a step cancels the flow run, and a new flow run can start', async () => {
  const transaction = await world.createTransaction();
  const plan = { ...planOf(smsTokenFlow, transaction.id), confirmations: {} };
  const { firstCode: _, ...planWithoutCode } = plan;
  expect(await transaction.startPlan(planWithoutCode)).toMatchObject({
    status: 'Canceled',
    path: [{ step: 'code', reason: 'ServiceError' }],
  });
  expect(await transaction.startFlow(smsTokenFlow)).toMatchObject({ status: 'Running' });
  await replay(await transaction.fetchHistory());
});

describe('a second code whose message the provider rejects', () => {
  test('if the message with the second code is rejected, the first code stays valid', async () => {
    const transaction = await world.createTransaction();
    const { runId } = await transaction.startFlow(emailTokenFlow);
    await world.env.sleep('61s');
    world.activities.deliveryResults.push('DestinationRefused');
    expect(await rejectionOf(transaction.resendFlow(runId))).toMatchObject({ type: 'DestinationRefused' });
    expect(await transaction.answerFlow(runId, '000000')).toMatchObject({ answer: { status: 'Invalid' } });
    expect(await transaction.answerFlow(runId, transaction.codeOfLastMessage(emailToken))).toMatchObject({
      answer: { status: 'Valid' },
      run: { outcome: 'Confirmed' },
    });
    await replay(await transaction.fetchHistory());
  });

  test('if the message with the second code is rejected, the flow run ends when the first code expires', async () => {
    const transaction = await world.createTransaction();
    const { runId } = await transaction.startFlow(emailTokenFlow);
    await world.env.sleep('61s');
    world.activities.deliveryResults.push('DestinationRefused');
    await rejectionOf(transaction.resendFlow(runId));
    await world.env.sleep('31m');
    expect(await findRun(transaction)).toMatchObject({ outcome: 'Expired' });
    expect(await durationSecondsOf(transaction)).toBeLessThan(1_860);
    await replay(await transaction.fetchHistory());
  });
});

test('each new code is valid for the full lifetime, and the flow run ends within the maximum duration of its flow', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(emailTokenFlow);
  for (let send = 2; send <= 3; send += 1) {
    await world.env.sleep('29m');
    await transaction.resendFlow(runId);
  }
  await world.env.sleep('31m');
  expect(await findRun(transaction)).toMatchObject({ outcome: 'Expired' });
  const seconds = await durationSecondsOf(transaction);
  expect(seconds).toBeGreaterThan(2 * 29 * 60 + 1_800 - 5);
  expect(seconds).toBeLessThanOrEqual(boundsOf(emailTokenFlow).seconds);
});

test('a flow with only an outcome ends immediately', async () => {
  const transaction = await world.createTransaction();
  const flow: FlowDefinition = {
    name: 'nothing',
    version: 1,
    start: 'end',
    steps: { end: { kind: 'outcome', outcome: 'Over' } },
  };
  expect(await transaction.startFlow(flow)).toMatchObject({
    status: 'Completed',
    outcome: 'Over',
    path: [{ step: 'end' }],
  });
  expect(await findRun(transaction)).toMatchObject({ outcome: 'Over' });
});

test('a flow run is saved before the response to its start, even if its first step ends immediately', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('DestinationRefused');
  const run = await transaction.startFlow({
    ...emailTokenFlow,
    steps: {
      ...emailTokenFlow.steps,
      code: { ...emailTokenFlow.steps['code'], exits: { ...exits, Failed: 'pause' } } as ConfirmStep,
      pause: { kind: 'wait', seconds: 60, then: 'expired' },
    },
  });
  expect((await findRun(transaction)).id).toBe(run.runId);
});

test('a flow run is saved before the response to its start, even if its first step must wait before it sends a message', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(emailTokenFlow);
  await transaction.answerFlow(runId, transaction.codeOfLastMessage(emailToken));
  const secondRun = await transaction.startFlow(emailTokenFlow);
  expect(secondRun).toMatchObject({ status: 'Running', step: 'code', path: [{ step: 'code' }] });
  expect(secondRun.awaited).toMatchObject({ kind: 'time' });
  expect((await findRun(transaction)).id).toBe(secondRun.runId);
});

describe('if a condition cannot be evaluated', () => {
  /** `else` is the lenient way. */
  const judging = (failed: { failed?: string }): FlowDefinition => ({
    name: 'judging',
    version: 1,
    start: 'judge',
    steps: {
      judge: { kind: 'decide', rules: [{ when: 'score < 40.0', then: 'no' }], else: 'yes', ...failed },
      yes: { kind: 'outcome', outcome: 'Yes' },
      no: { kind: 'outcome', outcome: 'No' },
    },
  });
  beforeEach(() => {
    world.activities.findMatchingRule = () => {
      throw ApplicationFailure.nonRetryable('The evaluation of the condition failed.', 'ConditionFailed');
    };
  });
  afterEach(() => {
    world.activities.findMatchingRule = () => null;
  });

  test.each([
    [
      'takes the step in `failed`',
      { failed: 'no' },
      { outcome: 'No', path: [{ step: 'judge', exit: 'Failed', reason: 'NotDecided' }, { step: 'no' }] },
    ],
    [
      'without `failed` ends with the outcome NotDecided, and never takes `else`',
      {},
      { outcome: 'NotDecided', path: [{ step: 'judge', exit: 'Failed', reason: 'NotDecided' }] },
    ],
  ])('a flow run %s', async (_, failed, expected) => {
    const transaction = await world.createTransaction();
    await transaction.startFlow(judging(failed));
    const run = await findRun(transaction);
    expect(run).toMatchObject({ status: 'Completed', ...expected, endedAt: expect.any(String) });
    expect(run.path).toHaveLength(expected.path.length);
    await replay(await transaction.fetchHistory());
  });
});

describe('if the thread for the conditions is busy', () => {
  const judging: FlowDefinition = {
    name: 'judging',
    version: 1,
    start: 'judge',
    steps: {
      judge: { kind: 'decide', rules: [{ when: 'score < 40.0', then: 'yes' }], else: 'no', failed: 'no' },
      yes: { kind: 'outcome', outcome: 'Yes' },
      no: { kind: 'outcome', outcome: 'No' },
    },
  };
  /** How many of the next evaluations fail. */
  let busyAttempts = 0;
  beforeEach(() => {
    world.activities.findMatchingRule = () => {
      if (busyAttempts-- > 0) throw new ComputeBusy('No thread was free before the deadline.');
      return 0;
    };
  });
  afterEach(() => {
    world.activities.findMatchingRule = () => null;
  });

  test('a flow run only waits, however long, and then takes the rule that is true', async () => {
    busyAttempts = 12;
    const transaction = await world.createTransaction();
    const { status, step, awaited } = await transaction.startFlow(judging);
    expect({ status, step, awaited }).toMatchObject({ status: 'Running', step: 'judge', awaited: { kind: 'time' } });
    // The pauses add up to some minutes, and other commands do not wait for them.
    await transaction.request(smsToken);
    expect(await findRun(transaction)).toMatchObject({ status: 'Running' });
    await world.env.sleep('1h');
    expect(await findRun(transaction)).toMatchObject({
      outcome: 'Yes',
      path: [{ step: 'judge', exit: '1' }, { step: 'yes' }],
    });
    expect(busyAttempts).toBe(-1);
    await replay(await transaction.fetchHistory());
  });

  test('a flow run whose tenant has used up its share waits until its turn, and has this turn after the wait', async () => {
    busyAttempts = 0;
    world.activities.waitsForTurn.push(90_000, 90_000);
    const transaction = await world.createTransaction();
    const { path, awaited } = await transaction.startFlow(judging);
    const until = awaited?.kind === 'time' ? awaited.until : '';
    expect(Date.parse(until) - Date.parse(path[0]?.enteredAt ?? '')).toBeGreaterThanOrEqual(90_000);
    await world.env.sleep('100s');
    expect(await findRun(transaction)).toMatchObject({ outcome: 'Yes' });
    expect(world.activities.waitsForTurn.splice(0)).toHaveLength(1);
    await replay(await transaction.fetchHistory());
  });

  test('a flow run that waits can be canceled', async () => {
    busyAttempts = 1_000;
    const transaction = await world.createTransaction();
    const { runId } = await transaction.startFlow(judging);
    await transaction.cancelFlow(runId);
    expect(await findRun(transaction)).toMatchObject({
      status: 'Canceled',
      path: [{ step: 'judge', exit: 'Canceled' }],
    });
    await replay(await transaction.fetchHistory());
  });
});

test.each([
  ['the whole text in `because`, up to 200 characters', { because: 'b'.repeat(200) }, 'b'.repeat(200)],
  ['the first 200 characters of a condition without `because`', {}, `score < ${'0'.repeat(192)}`],
])('the reason in the path of a flow run is %s', async (_, because, reason) => {
  const transaction = await world.createTransaction();
  world.activities.findMatchingRule = () => 0;
  await transaction.startFlow({
    name: 'judging',
    version: 1,
    start: 'judge',
    steps: {
      judge: { kind: 'decide', rules: [{ when: `score < ${'0'.repeat(300)}`, then: 'yes', ...because }], else: 'yes' },
      yes: { kind: 'outcome', outcome: 'Yes' },
    },
  });
  world.activities.findMatchingRule = () => null;
  expect((await findRun(transaction)).path[0]).toMatchObject({ step: 'judge', exit: '1', reason });
});

test('an unexpected error cancels only the flow run, and other commands still work', async () => {
  const transaction = await world.createTransaction();
  const plan = { ...planOf(emailTokenFlow, transaction.id), confirmations: {} };
  expect(await transaction.startPlan(plan)).toMatchObject({ status: 'Canceled' });
  expect(await findRun(transaction)).toMatchObject({ status: 'Canceled', path: [{ step: 'code', exit: 'Canceled' }] });
  await transaction.request(emailToken);
  expect((await transaction.answer(emailToken, transaction.codeOfLastMessage(emailToken))).status).toBe('Valid');
});

const firstVisitOf = async (transaction: TestTransaction, id: string) =>
  (await transaction.readState()).runs?.find((run) => run.id === id)?.path[0];

test('if a message is not delivered, the flow run leaves the step by the exit Failed, and the visit has the reason', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  await transaction.handle.signal(contract.deliveryStatusReported, {
    sendId: transaction.lastMessage().sendId,
    status: 'failed',
    code: '30005',
  });
  await transaction.readView();
  expect(await firstVisitOf(transaction, runId)).toMatchObject({ exit: 'Failed', reason: 'Undelivered 30005' });
  const other = await world.createTransaction();
  world.activities.deliveryResults.push('outage', 'DestinationRefused');
  const otherRun = await other.startFlow(smsTokenFlow);
  await world.env.sleep('60s');
  expect(await firstVisitOf(other, otherRun.runId)).toMatchObject({
    exit: 'Failed',
    reason: 'DestinationRefused 21211',
  });
});

test('if the provider rejects a message, the flow run leaves the step by the exit Failed, with the code of the provider', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('ProviderRefused');
  const { runId, path } = await transaction.startFlow(smsTokenFlow);
  expect(path[0]).toMatchObject({ exit: 'Failed', reason: 'ProviderRefused 21211' });
  expect(await firstVisitOf(transaction, runId)).toMatchObject({ reason: 'ProviderRefused 21211' });
  await replay(await transaction.fetchHistory());
});
