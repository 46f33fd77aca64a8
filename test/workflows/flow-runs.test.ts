import type { FlowDefinition } from '../../domain/flows/definition';
import { emailToken, smsToken } from '../../flows/confirmations';
import { smsTokenFlow } from '../../flows/sms-token.flow';
import { everyKind } from '../support/every-kind.flow';
import { refusedWith } from '../support/refused';
import { replay } from '../support/replay';
import { type Told, World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());
afterEach(() => {
  world.activities.rule = () => null;
});

const outcomes = async (told: Told) => (await told.state()).runs?.map(({ outcome, status }) => outcome ?? status);
const pathOf = async (told: Told) => (await told.state()).runs?.at(-1)?.path.map(({ step, exit }) => [step, exit]);

test('a code by SMS: start, answer, end', async () => {
  const told = await world.transaction();
  const run = await told.startFlow(smsTokenFlow);
  expect(run).toMatchObject({
    flow: 'sms-token',
    version: 1,
    status: 'Running',
    step: 'code',
    awaited: { kind: 'token', channel: 'sms', sendsLeft: 2 },
  });
  expect(told.messages()).toHaveLength(1);
  const wrong = await told.answerFlow(run.runId, '000000');
  expect(wrong).toMatchObject({ answer: { status: 'Invalid', attemptsRemaining: 4 }, run: { status: 'Running' } });
  const right = await told.answerFlow(run.runId, told.code(smsToken));
  expect(right).toMatchObject({
    answer: { status: 'Valid' },
    run: { status: 'Completed', outcome: 'Confirmed', step: 'confirmed' },
  });
  expect((await told.view()).smsToken?.status).toBe('Valid');
  await replay(await told.history());
});

test('the token endpoint also answers the code of a run, and cannot request another one', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(smsTokenFlow);
  const refused = { type: 'FlowRunning', details: { inUse: { runId, flow: 'sms-token', channel: 'sms' } } };
  expect(await refusedWith(told.request(smsToken))).toEqual(refused);
  expect(await refusedWith(told.startFlow(smsTokenFlow))).toEqual(refused);
  expect((await told.answer(smsToken, told.code(smsToken))).status).toBe('Valid');
  expect(await outcomes(told)).toEqual(['Confirmed']);
  expect(await refusedWith(told.answerFlow(runId, '123456'))).toMatchObject({ type: 'RunEnded' });
  expect(await refusedWith(told.answerFlow('other', '123456'))).toMatchObject({ type: 'RunNotFound' });
});

test('an open confirmation on its channel prevents the start of a flow', async () => {
  const told = await world.transaction();
  await told.request(emailToken);
  await told.startFlow(smsTokenFlow);
  const other = await world.transaction();
  await other.request(smsToken);
  expect(await refusedWith(other.startFlow(smsTokenFlow))).toEqual({
    type: 'ChannelBusy',
    details: { inUse: { channel: 'sms' } },
  });
  expect((await other.state()).runs).toBeUndefined();
});

test('a run continues after a time-out, and after a rejected message', async () => {
  const told = await world.transaction();
  world.activities.fates.push('DestinationRefused');
  const fallback: FlowDefinition = {
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
  const run = await told.startFlow(fallback);
  await world.env.sleep('10m');
  expect((await told.state()).runs?.[0]).toMatchObject({
    path: [{ exit: 'Failed', reason: 'DestinationRefused 21211' }, { step: 'pause' }],
  });
  await world.env.sleep('51m');
  expect(await outcomes(told)).toEqual(['Undeliverable']);
  expect(run.runId).toBe((await told.state()).runs?.[0]?.id);
  await replay(await told.history());
});

test('a resend is within the limits of the step', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(smsTokenFlow);
  expect(await refusedWith(told.resendFlow(runId))).toMatchObject({ type: 'ResendTooSoon' });
  await world.env.sleep('61s');
  expect(await told.resendFlow(runId)).toMatchObject({ awaited: { sendsLeft: 1 } });
  expect(told.messages()).toHaveLength(2);
});

test('the code of a canceled run does not count', async () => {
  const told = await world.transaction();
  const { runId } = await told.startFlow(smsTokenFlow);
  expect(await told.cancelFlow(runId)).toMatchObject({ status: 'Canceled', step: 'code' });
  expect(await refusedWith(told.answer(smsToken, told.code(smsToken)))).toMatchObject({ type: 'AnswerRefused' });
  expect((await told.view()).smsToken?.status).toBe('Expired');
  await world.env.sleep('61s');
  expect((await told.startFlow(smsTokenFlow)).status).toBe('Running');
  await replay(await told.history());
});

test('every kind of step, in sequence', async () => {
  const told = await world.transaction();
  await world.assessed(told);
  world.activities.noticeFates.push('away', 'away');
  world.activities.rule = (facts) => (facts.answers['code'] === 'Valid' ? 1 : null);
  const { runId } = await told.startFlow(everyKind);
  await told.answerFlow(runId, told.code(smsToken));
  await world.env.sleep('2m');
  const link = (await told.state()).biometrics?.at(-1);
  if (!link) throw new Error(`There is no link: ${JSON.stringify(await pathOf(told))}`);
  expect((await told.state()).runs?.[0]).toMatchObject({ awaiting: { biometricsId: link.id } });
  await told.handIn(link.id);
  await told.decide(link.id, 'Approved');
  await world.env.sleep('2m');
  const question = (await told.state()).confirmations.at(-1);
  await told.reply(question?.id ?? '', { option: 1 });
  expect(await pathOf(told)).toEqual([
    ['code', 'Valid'],
    ['judge', '2'],
    ['tell', 'Delivered'],
    ['pictures', 'Approved'],
    ['pause', 'Done'],
    ['question', 'Yes'],
    ['confirmed', undefined],
  ]);
  expect(world.activities.notified.at(-1)).toMatchObject({
    type: 'step-up.started',
    id: `${runId}.3`,
    data: { flow: 'every-kind' },
  });
  await replay(await told.history());
});

test('images without a decision in time leave the step as Undecided', async () => {
  const told = await world.transaction();
  world.activities.rule = () => 1;
  const { runId } = await told.startFlow(everyKind);
  await told.answerFlow(runId, told.code(smsToken));
  await world.env.sleep('10s');
  const link = (await told.state()).biometrics?.at(-1);
  await told.handIn(link?.id ?? '');
  await world.env.sleep('25h');
  expect((await pathOf(told))?.at(3)).toEqual(['pictures', 'Undecided']);
  expect(await outcomes(told)).toEqual(['Unclear']);
});

test('a step without visits left follows its transition', async () => {
  const told = await world.transaction();
  const twice: FlowDefinition = {
    name: 'twice',
    version: 1,
    start: 'pause',
    steps: {
      pause: { kind: 'wait', seconds: 60, then: 'pause', visits: 2, exhausted: 'end' },
      end: { kind: 'outcome', outcome: 'Over' },
    },
  };
  await told.startFlow(twice);
  await world.env.sleep('3m');
  expect(await pathOf(told)).toEqual([
    ['pause', 'Done'],
    ['pause', 'Done'],
    ['end', undefined],
  ]);
});
