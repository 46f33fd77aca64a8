import type { FlowDefinition } from '../../domain/flows/definition';
import { confirmations, smsToken, whatsappSecondFactor } from '../../flows/confirmations';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { rejectionOf } from '../support/rejection-of';
import { type TestTransaction, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

/** Asks the person by WhatsApp, and the person says no. Returns an update id that repeats the request. */
async function deny(transaction: TestTransaction): Promise<string> {
  const updateId = 'key/digest';
  await transaction.request(whatsappSecondFactor, updateId);
  await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 2 });
  expect((await transaction.readState()).facts.deniedAt).toBeDefined();
  return updateId;
}

const denied = { type: 'TransactionDenied', details: {} };

test('after a no, callers send nothing more: no code, no question, no link and no flow', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  await deny(transaction);
  // Every pause between two messages is over.
  await world.env.sleep('10m');
  const { version } = await transaction.readState();
  const requests = confirmations.map((settings) => () => transaction.request(settings));
  for (const request of [
    ...requests,
    () => transaction.requestLink('link'),
    () => transaction.startFlow(emailTokenFlow),
    () => transaction.startFlow(smsTokenFlow),
  ])
    expect(await rejectionOf(request())).toEqual(denied);
  expect(transaction.messages()).toHaveLength(2);
  expect((await transaction.readState()).version).toBe(version);
});

test('a repeat of a request from before the no gets its answer', async () => {
  const transaction = await world.createTransaction();
  const updateId = await deny(transaction);
  expect(await transaction.request(whatsappSecondFactor, updateId)).toMatchObject({ status: 'Waiting' });
  expect(transaction.messages()).toHaveLength(1);
});

test('a running flow run goes on after a no, and its message can be sent again', async () => {
  const flow: FlowDefinition = {
    ...smsTokenFlow,
    start: 'pause',
    steps: { ...smsTokenFlow.steps, pause: { kind: 'wait', seconds: 60, then: 'code' } },
  };
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(flow);
  await deny(transaction);
  await world.env.sleep('61s');
  await transaction.waitUntil(() => transaction.messages().length === 2);
  await world.env.sleep('61s');
  expect(await transaction.resendFlow(runId)).toMatchObject({ status: 'Running', step: 'code' });
  expect(transaction.messages()).toHaveLength(3);
});
