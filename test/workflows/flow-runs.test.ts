import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { flowWithEveryKind } from '../support/every-kind.flow';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { type TestTransaction, World } from '../support/world';
import { waitUntil } from '../support/wait-until';
import * as contract from '../../workflows/contract/commands';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
afterEach(() => {
  world.activities.findMatchingRule = () => null;
});

/** The outcome of each flow run, or its status if it has no outcome. */
const runOutcomesOf = async (transaction: TestTransaction) =>
  (await transaction.readState()).runs?.map(({ outcome, status }) => outcome ?? status);
const pathOf = async (transaction: TestTransaction) =>
  (await transaction.readState()).runs?.at(-1)?.path.map(({ step, exit }) => [step, exit]);

test('a flow run with a code by SMS rejects a wrong code, and ends after the right code', async () => {
  const transaction = await world.createTransaction();
  const run = await transaction.startFlow(smsTokenFlow);
  expect(run).toMatchObject({
    flow: 'sms-token',
    version: 1,
    status: 'Running',
    step: 'code',
    awaited: { kind: 'token', channel: 'sms', sendsLeft: 2 },
  });
  expect(transaction.messages()).toHaveLength(1);
  const wrongResponse = await transaction.answerFlow(run.runId, '000000');
  expect(wrongResponse).toMatchObject({
    answer: { status: 'Invalid', attemptsRemaining: 4 },
    run: { status: 'Running' },
  });
  const validResponse = await transaction.answerFlow(run.runId, transaction.codeOfLastMessage(smsToken));
  expect(validResponse).toMatchObject({
    answer: { status: 'Valid' },
    run: { status: 'Completed', outcome: 'Confirmed', step: 'confirmed' },
  });
  expect((await transaction.readView()).smsToken?.status).toBe('Valid');
  await replay(await transaction.fetchHistory());
});

test('the code of a flow run is also accepted outside of the flow, but no other code can be requested during the flow run', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  const rejection = { type: 'FlowRunning', details: { inUse: { runId, flow: 'sms-token', channel: 'sms' } } };
  expect(await rejectionOf(transaction.request(smsToken))).toEqual(rejection);
  expect(await rejectionOf(transaction.startFlow(smsTokenFlow))).toEqual(rejection);
  expect((await transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken))).status).toBe('Valid');
  expect(await runOutcomesOf(transaction)).toEqual(['Confirmed']);
  expect(await rejectionOf(transaction.answerFlow(runId, '123456'))).toMatchObject({ type: 'RunEnded' });
  expect(await rejectionOf(transaction.answerFlow('other', '123456'))).toMatchObject({ type: 'RunNotFound' });
});

test('a flow does not start while another confirmation is open on its channel', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(emailToken);
  await transaction.startFlow(smsTokenFlow);
  const other = await world.createTransaction();
  await other.request(smsToken);
  expect(await rejectionOf(other.startFlow(smsTokenFlow))).toEqual({
    type: 'ChannelBusy',
    details: { inUse: { channel: 'sms' } },
  });
  expect((await other.readState()).runs).toBeUndefined();
});

test('a flow run continues after a rejected message, and after a wait step', async () => {
  const transaction = await world.createTransaction();
  world.activities.deliveryResults.push('DestinationRefused');
  const flowWithPause: FlowDefinition = {
    ...smsTokenFlow,
    steps: {
      ...smsTokenFlow.steps,
      code: {
        ...smsTokenFlow.steps['code'],
        exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'pause' },
      } as never,
      pause: { kind: 'wait', seconds: 3_600, then: 'undeliverable' },
    },
  };
  const run = await transaction.startFlow(flowWithPause);
  await world.env.sleep('10m');
  expect((await transaction.readState()).runs?.[0]).toMatchObject({
    path: [{ exit: 'Failed', reason: 'DestinationRefused 21211' }, { step: 'pause' }],
  });
  await world.env.sleep('51m');
  expect(await runOutcomesOf(transaction)).toEqual(['Undeliverable']);
  expect(run.runId).toBe((await transaction.readState()).runs?.[0]?.id);
  await replay(await transaction.fetchHistory());
});

test('a resend must wait for the pause of the step, and counts as one of the messages of the step', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  expect(await rejectionOf(transaction.resendFlow(runId))).toMatchObject({ type: 'ResendTooSoon' });
  await world.env.sleep('61s');
  expect(await transaction.resendFlow(runId)).toMatchObject({ awaited: { sendsLeft: 1 } });
  expect(transaction.messages()).toHaveLength(2);
});

test('the code of a canceled flow run is not accepted any more', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  expect(await transaction.cancelFlow(runId)).toMatchObject({ status: 'Canceled', step: 'code' });
  expect(await rejectionOf(transaction.answer(smsToken, transaction.codeOfLastMessage(smsToken)))).toMatchObject({
    type: 'TokenClosed',
  });
  expect((await transaction.readView()).smsToken?.status).toBe('Expired');
  await world.env.sleep('61s');
  expect((await transaction.startFlow(smsTokenFlow)).status).toBe('Running');
  await replay(await transaction.fetchHistory());
});

test('a flow run goes through every kind of step', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.webhookResults.push('outage', 'outage');
  world.activities.findMatchingRule = (facts) => (facts.exits['code'] === 'Valid' ? 1 : null);
  const { runId } = await transaction.startFlow(flowWithEveryKind);
  await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  await world.env.sleep('2m');
  const link = (await transaction.readState()).biometrics?.at(-1);
  if (!link) throw new Error(`There is no link: ${JSON.stringify(await pathOf(transaction))}`);
  expect((await transaction.readState()).runs?.[0]).toMatchObject({ awaiting: { biometricsId: link.id } });
  await transaction.submitImages(link.id);
  await transaction.decide(link.id, 'Approved');
  await world.env.sleep('2m');
  const question = (await transaction.readState()).confirmations.at(-1);
  await transaction.reply(question?.id ?? '', { option: 1 });
  expect(await pathOf(transaction)).toEqual([
    ['code', 'Valid'],
    ['judge', '2'],
    ['tell', 'Delivered'],
    ['pictures', 'Approved'],
    ['pause', 'Done'],
    ['question', 'Yes'],
    ['confirmed', undefined],
  ]);
  expect(world.activities.notificationChecks.at(-1)).toMatchObject({ key: `flow_run.notified/${runId}/3` });
  await replay(await transaction.fetchHistory());
});

test('a step that saves the record right after a command keeps the response of the command', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  world.activities.findMatchingRule = (facts) => (facts.exits['code'] === 'Valid' ? 1 : null);
  const { runId } = await transaction.startFlow(flowWithEveryKind);
  await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  await world.env.sleep('2m');
  const link = (await transaction.readState()).biometrics?.at(-1);
  await transaction.submitImages(link?.id ?? '');
  const decision = {
    biometricsId: link?.id ?? '',
    status: 'Approved',
    by: 'acme',
    reason: 'It is the same face.',
  } as const;
  await transaction.send(contract.decideBiometrics, decision, 'key-of-decision/digest');
  // The wait step saves the record that a worker would continue after the death of this worker.
  const recordOfWait = await waitUntil(async () => {
    const record = world.activities.records.get(transaction.id);
    return record?.runs?.[0]?.awaiting && 'until' in record.runs[0].awaiting && record;
  });
  expect(recordOfWait.responses.map(({ keyPart }) => keyPart)).toContain('key-of-decision');
});

test('if nobody decides in time, a flow run leaves a biometrics step by the exit Undecided', async () => {
  const transaction = await world.createTransaction();
  world.activities.findMatchingRule = () => 1;
  const { runId } = await transaction.startFlow(flowWithEveryKind);
  await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  await world.env.sleep('10s');
  const link = (await transaction.readState()).biometrics?.at(-1);
  await transaction.submitImages(link?.id ?? '');
  await world.env.sleep('25h');
  expect((await pathOf(transaction))?.at(3)).toEqual(['pictures', 'Undecided']);
  expect(await runOutcomesOf(transaction)).toEqual(['Unclear']);
});

test('in place of a third visit to a step with `visits: 2`, a flow run goes to the step in `exhausted`', async () => {
  const transaction = await world.createTransaction();
  const loopFlow: FlowDefinition = {
    name: 'twice',
    version: 1,
    start: 'pause',
    steps: {
      pause: { kind: 'wait', seconds: 60, then: 'pause', visits: 2, exhausted: 'end' },
      end: { kind: 'outcome', outcome: 'Over' },
    },
  };
  await transaction.startFlow(loopFlow);
  await world.env.sleep('3m');
  expect(await pathOf(transaction)).toEqual([
    ['pause', 'Done'],
    ['pause', 'Done'],
    ['end', undefined],
  ]);
});
