import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { codeOf } from '../support/build';
import { rejectionOf } from '../support/rejection-of';
import { replay } from '../support/replay';
import { waitUntil } from '../support/wait-until';
import { type TestTransaction, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const [smsStep, mailStep] = [smsTokenFlow.steps['code'], emailTokenFlow.steps['code']];
if (smsStep?.kind !== 'confirm' || mailStep?.kind !== 'confirm') throw new Error('The flow has different steps.');

const fallbackFlow: FlowDefinition = {
  name: 'fallback',
  version: 1,
  start: 'sms',
  steps: {
    ...smsTokenFlow.steps,
    ...emailTokenFlow.steps,
    sms: { ...smsStep, exits: { ...smsStep.exits, Expired: 'mail' } },
    mail: mailStep,
  },
};

const attemptsOf = async (transaction: TestTransaction) =>
  (await transaction.readState()).confirmations.map(({ attemptsUsed }) => attemptsUsed);
const codeFor = async (transaction: TestTransaction, settings: typeof smsToken) => {
  const confirmation = (await transaction.readState()).confirmations.find(
    (candidate) => candidate.settings.name === settings.name,
  );
  return codeOf(settings, transaction.id, confirmation?.id ?? '');
};
/** The status of the person's code, such as Used, in the error of a rejected update. */
const rejectedStatusOf = async (update: Promise<unknown>) => (await rejectionOf(update)).details.about?.status;

test('a code of an earlier step does not use an attempt of the current step', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(fallbackFlow);
  const smsCode = await codeFor(transaction, smsToken);
  await world.env.sleep('301s');
  for (let time = 0; time < 6; time += 1)
    expect(await rejectedStatusOf(transaction.answerFlow(runId, smsCode))).toBe('Expired');
  expect(await attemptsOf(transaction)).toEqual([0, 0]);
  const emailCode = await codeFor(transaction, emailToken);
  expect((await transaction.answerFlow(runId, emailCode)).answer.status).toBe('Valid');
  await replay(await transaction.fetchHistory());
});

test('if the message of an earlier step was not delivered, its code is rejected with Failed, and uses no attempt', async () => {
  const transaction = await world.createTransaction();
  const sms = { ...smsStep, exits: { ...smsStep.exits, Failed: 'mail' } };
  const { runId } = await transaction.startFlow({ ...fallbackFlow, steps: { ...fallbackFlow.steps, sms } });
  const smsCode = await codeFor(transaction, smsToken);
  const [confirmation] = (await transaction.readState()).confirmations;
  await transaction.sendDeliveryStatus(`${confirmation?.id}.1`, 'failed');
  await waitUntil(async () => (await attemptsOf(transaction)).length === 2);
  expect(await rejectedStatusOf(transaction.answerFlow(runId, smsCode))).toBe('Failed');
  expect(await attemptsOf(transaction)).toEqual([0, 0]);
});

test('after a flow run has ended, its code is rejected with Used, and any other code with RunEnded', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(smsTokenFlow);
  const code = await codeFor(transaction, smsToken);
  const wrongCode = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  await transaction.answerFlow(runId, code);
  expect(await rejectedStatusOf(transaction.answerFlow(runId, code))).toBe('Used');
  expect((await rejectionOf(transaction.answerFlow(runId, wrongCode))).type).toBe('RunEnded');
});

test('an older code of the current step is Superseded, and uses an attempt', async () => {
  const transaction = await world.createTransaction();
  const { runId } = await transaction.startFlow(emailTokenFlow);
  const olderCode = await codeFor(transaction, emailToken);
  await world.env.sleep('61s');
  await transaction.resendFlow(runId);
  expect((await transaction.answerFlow(runId, olderCode)).answer).toMatchObject({
    status: 'Superseded',
    attemptsRemaining: 4,
  });
  expect((await attemptsOf(transaction)).at(-1)).toBe(1);
  await replay(await transaction.fetchHistory());
});

test('a code of an earlier flow run of the same flow is rejected', async () => {
  const transaction = await world.createTransaction();
  const first = await transaction.startFlow(smsTokenFlow);
  const code = await codeFor(transaction, smsToken);
  await transaction.answerFlow(first.runId, code);
  await world.env.sleep('61s');
  const second = await transaction.startFlow(smsTokenFlow);
  await transaction.cancelFlow(second.runId);
  expect((await rejectionOf(transaction.answerFlow(second.runId, code))).type).toBe('RunEnded');
});
