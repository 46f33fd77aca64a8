import { isOpen } from '../../domain/confirmations/confirmation';
import type { FlowDefinition } from '../../domain/flows/definition';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import * as contract from '../../workflows/contract/commands';
import { planOf } from '../support/flow-plan';
import { replay } from '../support/replay';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const rotatingFlow: FlowDefinition = {
  ...smsTokenFlow,
  name: 'rotating',
  steps: { ...smsTokenFlow.steps, code: { ...smsTokenFlow.steps['code'], resend: 'rotate' } as never },
};

test('if a flow run is canceled during a resend, no code stays open', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(rotatingFlow);
  await world.env.sleep('61s');
  world.activities.deliveryResults.push('outage', 'outage');
  await transaction.resendFlow(runId);
  await transaction.cancelFlow(runId);
  world.activities.deliveryResults.length = 0;
  expect((await transaction.readState()).confirmations.filter(isOpen)).toEqual([]);
  await world.env.sleep('61s');
  expect((await transaction.startFlow(rotatingFlow)).status).toBe('Running');
  await replay(await transaction.fetchHistory());
});

test('canceling a flow run also cancels its message that no worker has sent yet', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  let release = (): void => undefined;
  world.activities.providerReady = new Promise((resolve) => (release = resolve));
  const attempts = world.activities.deliveryAttempts.length;
  const plan = planOf(smsTokenFlow, transaction.id);
  const pendingStart = await transaction.handle.startUpdate(contract.startFlow, {
    args: [plan, { fingerprint: 'f', rememberResponse: false }],
    waitForStage: 'ACCEPTED',
  });
  while (world.activities.deliveryAttempts.length === attempts) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await transaction.cancelFlow(plan.runId)).toMatchObject({ status: 'Canceled' });
  release();
  expect((await pendingStart.result()).output).toMatchObject({ status: 'Canceled' });
  const history = await transaction.fetchHistory();
  const cancelRequests = history.events?.filter((event) => event.activityTaskCancelRequestedEventAttributes);
  expect(cancelRequests).toHaveLength(1);
  await replay(history);
});

test('the start of a flow run gets a response, even if the flow run is canceled before its first step', async () => {
  const transaction = await world.createTransaction();
  await world.waitForAssessment(transaction);
  const flowWithNotify: FlowDefinition = {
    name: 'telling',
    version: 1,
    start: 'tell',
    steps: {
      tell: {
        kind: 'notify',
        event: 'sign-up.started',
        giveUpAfterSeconds: 60,
        exits: { Delivered: 'end', Failed: 'end' },
      },
      end: { kind: 'outcome', outcome: 'Over' },
    },
  };
  const plan = planOf(flowWithNotify, transaction.id);
  world.activities.savesToFail = 4;
  const pendingStart = await transaction.handle.startUpdate(contract.startFlow, {
    args: [plan, { fingerprint: 'f', rememberResponse: false }],
    waitForStage: 'ACCEPTED',
  });
  expect(await transaction.cancelFlow(plan.runId)).toMatchObject({ status: 'Canceled' });
  expect((await pendingStart.result()).output).toMatchObject({ status: 'Canceled' });
  expect(world.activities.notificationChecks).toEqual([]);
  await replay(await transaction.fetchHistory());
});
