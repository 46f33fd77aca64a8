import { isOpen } from '../../domain/confirmations/confirmation';
import type { FlowDefinition } from '../../domain/flows/definition';
import {
  confirmations,
  emailSecondFactor,
  emailToken,
  smsToken,
  whatsappSecondFactor,
} from '../../flows/confirmations';
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
  await world.env.sleep('9m');
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

/** A flow whose run waits a minute, and then sends a code by SMS. */
const codeAfterPause: FlowDefinition = {
  ...smsTokenFlow,
  start: 'pause',
  steps: { ...smsTokenFlow.steps, pause: { kind: 'wait', seconds: 60, then: 'code' } },
};

test('a no closes the open code, question and link, and a code that was already sent is no longer accepted', async () => {
  const transaction = await world.createTransaction();
  await transaction.request(smsToken);
  const code = transaction.codeOfLastMessage(smsToken);
  await transaction.request(emailSecondFactor);
  await transaction.requestLink('link');
  await deny(transaction);
  const view = await transaction.readView();
  expect(view).toMatchObject({ status: 'Denied', awaited: [], biometrics: { status: 'Canceled' } });
  expect(view.confirmations.map(({ name, status }) => [name, status])).toEqual([
    ['sms-token', 'Blocked'],
    ['email-2fa', 'Expired'],
    ['whatsapp-2fa', 'Replied'],
  ]);
  expect(view.emailMessages[0]).toMatchObject({ status: 'Expired' });
  expect(await rejectionOf(transaction.answer(smsToken, code))).toMatchObject({
    type: 'TokenClosed',
    details: { about: { status: 'Blocked' } },
  });
});

test('a no cancels a flow run that did not ask the question, and its messages are not sent', async () => {
  const transaction = await world.createTransaction();
  const first = await transaction.startFlow(smsTokenFlow);
  const other = await world.createTransaction();
  const second = await other.startFlow(codeAfterPause);
  await deny(transaction);
  await deny(other);
  await world.env.sleep('9m');
  for (const [target, { runId }] of [
    [transaction, first],
    [other, second],
  ] as const) {
    expect(await rejectionOf(target.resendFlow(runId))).toEqual(denied);
    const { runs, confirmations: asked } = await target.readState();
    expect(runs?.at(-1)).toMatchObject({ status: 'Canceled', path: [{ reason: 'TransactionDenied' }] });
    expect(asked.filter(isOpen)).toEqual([]);
  }
  expect([transaction, other].map((each) => each.messages().length)).toEqual([2, 1]);
});

test('the flow run that asked the question continues after the no, and its next message can be sent again', async () => {
  const flow: FlowDefinition = {
    ...smsTokenFlow,
    start: 'question',
    steps: {
      ...smsTokenFlow.steps,
      question: {
        kind: 'confirm',
        channel: 'whatsapp',
        ask: 'reply',
        template: 'whatsapp-2fa',
        expiresAfterSeconds: 180,
        sendLimit: 1,
        resendAfterSeconds: 60,
        exits: { Yes: 'confirmed', No: 'code', Expired: 'expired', Failed: 'expired' },
      },
    },
  };
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(flow);
  await transaction.reply(transaction.lastMessage().confirmationOrLinkId, { option: 2 });
  await transaction.waitUntil(({ flowRuns }) => flowRuns[0]?.awaited?.kind === 'token');
  await world.env.sleep('61s');
  expect(await transaction.resendFlow(runId)).toMatchObject({ status: 'Running', step: 'code' });
  expect(transaction.messages()).toHaveLength(3);
  expect(await rejectionOf(transaction.request(emailToken))).toEqual(denied);
  const answer = await transaction.answerFlow(runId, transaction.codeOfLastMessage(smsToken));
  expect(answer).toMatchObject({ answer: { status: 'Valid' }, run: { outcome: 'Confirmed' } });
});
