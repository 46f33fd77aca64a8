import type { DeliveryCheck } from '../../domain/flows/delivery-deadline';
import type { ConfirmStep, FlowDefinition } from '../../domain/flows/definition';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { FlowDriver } from '../support/flow-driver';
import { replay } from '../support/replay';
import { waitUntil } from '../support/wait-until';
import { World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const confirmStep = (flow: FlowDefinition) => {
  const step = flow.steps['code'];
  if (step?.kind !== 'confirm') throw new Error('The flow has a different step.');
  return step;
};

/** A code by SMS that must arrive within 20 s. If not, another code by SMS, then a code by e-mail. */
const flowWith = (changes: Partial<ConfirmStep> = {}): FlowDefinition => {
  const sms: ConfirmStep = {
    ...confirmStep(smsTokenFlow),
    resendAfterSeconds: 1,
    deliverWithinSeconds: 20,
    ...changes,
  };
  const mail = confirmStep(emailTokenFlow);
  return {
    name: 'delivered',
    version: 1,
    start: 'first',
    steps: {
      ...smsTokenFlow.steps,
      first: { ...sms, exits: { ...sms.exits, Undelivered: 'second' } },
      second: { ...sms, exits: { ...sms.exits, Undelivered: 'mail' } },
      mail,
    },
  };
};

/** Starts the flow. `check`: what the check of each message finds, by the step of the message. */
async function start(checkOf: (step: string) => DeliveryCheck, flow = flowWith()): Promise<FlowDriver> {
  const driver = await FlowDriver.start(world, flow);
  world.activities.deliveryCheckFor = ({ sendIds: [sendId] }) => {
    const message = world.activities.messages.find((one) => one.sendId === sendId);
    return checkOf(message?.settings.origin?.split('/')[1] ?? '');
  };
  return driver;
}

const checksOf = async ({ transaction }: FlowDriver) => {
  const { confirmations } = await transaction.readState();
  const ids = confirmations.flatMap(({ sends }) => sends.map(({ id }) => id));
  return world.activities.deliveryChecks.filter(({ sendIds }) => sendIds.some((id) => ids.includes(id)));
};
const pathOf = async (driver: FlowDriver) =>
  (await driver.readRun()).path.map(({ step, exit }) => (exit === undefined ? step : `${step} ${exit}`));
const waitForStep = (driver: FlowDriver, step: string) =>
  waitUntil(async () => {
    await world.env.sleep(1_000);
    return (await driver.readRun()).path.at(-1)?.step === step;
  });

test('a message that has arrived is checked once, and the step waits for the code', async () => {
  const driver = await start(() => 'delivered');
  await world.env.sleep('60s');
  expect(await pathOf(driver)).toEqual(['first']);
  expect(await checksOf(driver)).toHaveLength(1);
  const { answer } = await driver.transaction.answerFlow(driver.run.runId, driver.code);
  expect([answer.status, await pathOf(driver)]).toEqual(['Valid', ['first Valid', 'confirmed']]);
  await replay(await driver.transaction.fetchHistory());
});

test('without a report in time, the step is left by Undelivered, and the next message repeats the code', async () => {
  const driver = await start((step) => (step === 'first' ? 'missing' : 'delivered'));
  const { code, wrongCode } = driver;
  await driver.transaction.answerFlow(driver.run.runId, wrongCode);
  await waitForStep(driver, 'second');
  await driver.waitUntilAwaiting();
  const { path } = await driver.readRun();
  const [first] = path;
  expect(first).toMatchObject({ step: 'first', exit: 'Undelivered' });
  const seconds = (Date.parse(first?.leftAt ?? '') - Date.parse(first?.enteredAt ?? '')) / 1_000;
  expect([seconds >= 20, seconds < 25]).toEqual([true, true]);
  const [earlier, current] = (await driver.transaction.readState()).confirmations;
  expect(earlier).toMatchObject({
    status: 'Failed',
    sends: [{ state: 'failed', failureReason: 'NotDeliveredInTime' }],
  });
  expect(current).toMatchObject({ codeId: earlier?.id, attemptsUsed: 1, carriedAttempts: 1 });
  // The first message arrives late: its code is the code of both messages.
  expect(driver.code).toBe(code);
  const { answer } = await driver.transaction.answerFlow(driver.run.runId, code);
  expect([answer.status, await pathOf(driver)]).toEqual(['Valid', ['first Undelivered', 'second Valid', 'confirmed']]);
  await replay(await driver.transaction.fetchHistory());
});

test('a code for a mailbox is not the code of messages to the phone', async () => {
  const driver = await start(() => 'missing');
  const { code } = driver;
  await waitForStep(driver, 'mail');
  await driver.waitUntilAwaiting();
  expect(driver.code).not.toBe(code);
  expect((await driver.transaction.readState()).confirmations.map(({ codeId }) => codeId !== undefined)).toEqual([
    false,
    true,
    false,
  ]);
});

test('if the provider gives no reports, the step waits until the code expires', async () => {
  const driver = await start(() => 'withoutReports');
  await world.env.sleep('299s');
  expect(await pathOf(driver)).toEqual(['first']);
  await waitForStep(driver, 'expired');
  expect(await checksOf(driver)).toHaveLength(1);
});

test('a resend starts the time again, and an answer ends it', async () => {
  const driver = await start(() => 'missing', flowWith({ resend: 'rotate' }));
  await world.env.sleep('15s');
  await driver.transaction.resendFlow(driver.run.runId);
  await world.env.sleep('15s');
  expect([await pathOf(driver), await checksOf(driver)]).toEqual([['first'], []]);
  const { answer } = await driver.transaction.answerFlow(driver.run.runId, driver.code);
  await world.env.sleep('30s');
  expect([answer.status, await checksOf(driver)]).toEqual(['Valid', []]);
  await replay(await driver.transaction.fetchHistory());
});
