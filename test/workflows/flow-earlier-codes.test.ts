import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { emailTokenFlow } from '../../flows/email-token.flow';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { codeOf } from '../support/build';
import { refusedWith } from '../support/refused';
import { replay } from '../support/replay';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const [sms, mail] = [smsTokenFlow.steps['code'], emailTokenFlow.steps['code']];
if (sms?.kind !== 'confirm' || mail?.kind !== 'confirm') throw new Error('The flows have other steps now.');

/** A code by SMS, and by e-mail when that was not given in time. */
const fallback: FlowDefinition = {
  name: 'fallback',
  version: 1,
  start: 'sms',
  steps: {
    ...smsTokenFlow.steps,
    ...emailTokenFlow.steps,
    sms: { ...sms, exits: { ...sms.exits, Expired: 'mail' } },
    mail,
  },
};

const triedOn = async (told: Told) => (await told.state()).confirmations.map(({ attemptsUsed }) => attemptsUsed);
const codeBy = async (told: Told, settings: typeof smsToken) => {
  const asked = (await told.state()).confirmations.find(({ settings: flow }) => flow.name === settings.name);
  return codeOf(settings, told.id, asked?.id ?? '');
};
const answeredAs = async (update: Promise<unknown>) => (await refusedWith(update)).details.answer?.status;

test('a code of an earlier step does not use an attempt of the current step', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(fallback);
  const late = await codeBy(told, smsToken);
  await world.env.sleep('301s');
  for (let time = 0; time < 6; time += 1) expect(await answeredAs(told.answerFlow(runId, late))).toBe('Expired');
  expect(await triedOn(told)).toEqual([0, 0]);
  const right = await codeBy(told, emailToken);
  expect((await told.answerFlow(runId, right)).answer.status).toBe('Valid');
  await replay(await told.history());
});

test('a repeated code is Used, and any other code gets RunEnded', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(smsTokenFlow);
  const code = await codeBy(told, smsToken);
  const wrong = code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
  await told.answerFlow(runId, code);
  expect(await answeredAs(told.answerFlow(runId, code))).toBe('Used');
  expect((await refusedWith(told.answerFlow(runId, wrong))).type).toBe('RunEnded');
});

test('an older code of the current step is Superseded, and uses an attempt', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(emailTokenFlow);
  const older = await codeBy(told, emailToken);
  await world.env.sleep('61s');
  await told.resendFlow(runId);
  expect((await told.answerFlow(runId, older)).answer).toMatchObject({ status: 'Superseded', attemptsRemaining: 4 });
  expect((await triedOn(told)).at(-1)).toBe(1);
  await replay(await told.history());
});

test('a code of another run of the same flow does not count', async () => {
  const told = await world.transaction();
  const first = await told.startFlow(smsTokenFlow);
  const code = await codeBy(told, smsToken);
  await told.answerFlow(first.runId, code);
  await world.env.sleep('61s');
  const second = await told.startFlow(smsTokenFlow);
  await told.cancelFlow(second.runId);
  expect((await refusedWith(told.answerFlow(second.runId, code))).type).toBe('RunEnded');
});
