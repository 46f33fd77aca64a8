import { randomUUID } from 'node:crypto';
import { Problem } from '../../../api/http/problem';
import { CommandRejected, type Target, type Transactions } from '../../../api/transactions/transactions';
import { captureKinds } from '../../../domain/biometrics/biometrics';
import type { LinkAction } from '../../../domain/biometrics/commands';
import type { PageAction } from '../../../domain/biometrics/capture';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { digestTypedCode } from '../../../messages/codes';
import * as contract from '../../../workflows/contract/commands';
import { codeOf, person, propose, proposeLink, testKeys } from '../../support/build';
import { planOf } from '../../support/flow-plan';
import { openTransactions } from '../../support/open-transactions';
import { World } from '../../support/world';
import { FakeTransactions } from '../fake-transactions';

// What the handlers of the API rely on. The tests of the API use the fake, so the fake must do the same as the workflow.

interface Opened {
  transactions: Transactions;
  close: () => Promise<void>;
}

const openFake = async (): Promise<Opened> => ({ transactions: new FakeTransactions(), close: async () => {} });

async function openReal(): Promise<Opened> {
  const world = await World.open('temporal');
  const transactions = await openTransactions(world);
  return { transactions, close: () => world.close() };
}

const owner = 'browser';
const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
/** The code of the problem or the type of the domain error with which a call fails; otherwise `done`. */
const failureOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) =>
      error instanceof Problem ? error.code : error instanceof CommandRejected ? error.domainError.type : String(error),
  );

describe.each([
  ['the fake', openFake],
  ['the workflow', openReal],
] as const)('%s', (_, open) => {
  let opened: Opened;
  let transactions: Transactions;
  beforeAll(async () => {
    opened = await open();
    ({ transactions } = opened);
  });
  afterAll(() => opened.close());

  const send = <Input, Output>(target: Target, command: contract.Command<Input, Output>, input: Input) =>
    transactions.send(target, command, { input, identity: [input] });

  async function create(): Promise<Target> {
    const { transaction } = await transactions.create('local', { input: person, initialFlow: null });
    const target = { tenant: 'local', id: String(transaction['id']) };
    while (!(await transactions.readLatest(target)).assessed) await new Promise((resolve) => setTimeout(resolve, 20));
    return target;
  }

  /** Enters `value` for the newest code, or the right code. */
  async function answer(target: Target, confirmationId: string, value?: string) {
    const code = value ?? codeOf(smsToken, target.id, confirmationId);
    const digest = digestTypedCode(testKeys, target.id, smsToken.name, code);
    return send(target, contract.checkConfirmationCode, { name: smsToken.name, digest });
  }

  const act = (target: Target, biometricsId: string, action: PageAction, by = owner) =>
    send(target, contract.applyPageAction, { ...action, biometricsId, owner: by } satisfies LinkAction);

  /** Creates a link, whose images the person submits. */
  async function submitImages(target: Target): Promise<string> {
    const biometricsId = randomUUID();
    await send(target, contract.requestBiometrics, proposeLink(biometricsId));
    const captures = captureKinds.map((kind): PageAction => ({ action: 'capture', kind, capture }));
    const actions: PageAction[] = [{ action: 'open' }, { action: 'consent' }, ...captures, { action: 'submit' }];
    for (const action of actions) await act(target, biometricsId, action);
    return biometricsId;
  }

  test('a transaction is read as it was created', async () => {
    const { transaction, replayed } = await transactions.create('local', {
      input: person,
      initialFlow: null,
    });
    const target = { tenant: 'local', id: String(transaction['id']) };
    expect(replayed).toBe(false);
    const { view } = await transactions.read(target);
    expect([view.transaction, view.status]).toEqual([transaction, 'Open']);
    expect((await transactions.readState(target)).input).toEqual(person);
  });

  test('an unknown transaction and a transaction of another tenant are not found', async () => {
    const { id } = await create();
    for (const target of [
      { tenant: 'local', id: randomUUID() },
      { tenant: 'other', id },
    ])
      for (const call of [
        () => transactions.read(target),
        () => transactions.readLatest(target),
        () => transactions.readState(target),
        () => send(target, contract.analyse, { analysis: 'score' }),
      ])
        expect(await failureOf(call())).toBe('transaction_not_found');
  });

  test('a code is sent, checked and used', async () => {
    const target = await create();
    const confirmationId = randomUUID();
    const sent = await send(target, contract.requestConfirmation, propose(smsToken, target.id, confirmationId));
    expect(sent).toMatchObject({ status: 'Waiting' });
    expect(await answer(target, confirmationId, '000000')).toMatchObject({ status: 'Invalid' });
    expect(await answer(target, confirmationId)).toMatchObject({ status: 'Valid' });
    expect(await failureOf(answer(target, confirmationId))).toBe('TokenClosed');
    expect((await transactions.readState(target)).facts.phoneConfirmedAt).toEqual(expect.any(String));
  });

  test('a code that was never requested, and a second code too soon, are rejected and change nothing', async () => {
    const target = await create();
    const digest = digestTypedCode(testKeys, target.id, emailToken.name, '123456');
    const check = send(target, contract.checkConfirmationCode, { name: emailToken.name, digest });
    expect(await failureOf(check)).toBe('ConfirmationNotFound');
    await send(target, contract.requestConfirmation, propose(smsToken, target.id));
    const before = await transactions.readState(target);
    const again = send(target, contract.requestConfirmation, propose(smsToken, target.id));
    expect(await failureOf(again)).toBe('ResendTooSoon');
    expect(await transactions.readState(target)).toEqual(before);
  });

  test('an analysis gives its result', async () => {
    const target = await create();
    expect(await send(target, contract.analyse, { analysis: 'score' })).toMatchObject({
      scores: [{ value: expect.any(Number) }],
    });
  });

  test('a flow run asks for its code, ends with the right one, and a second cancel is rejected', async () => {
    const target = await create();
    const plan = planOf(smsTokenFlow, target.id);
    const { runId } = plan;
    expect(await send(target, contract.startFlow, plan)).toMatchObject({ runId, status: 'Running' });
    const digests = { [smsToken.name]: plan.firstCode?.digest ?? '' };
    const wrong = await send(target, contract.checkFlowCode, { runId, digests: { [smsToken.name]: 'other' } });
    expect(wrong).toMatchObject({ answer: { status: 'Invalid' }, run: { status: 'Running' } });
    expect(await failureOf(send(target, contract.resendFlow, { runId }))).toBe('ResendTooSoon');
    const right = await send(target, contract.checkFlowCode, { runId, digests });
    expect(right).toMatchObject({ answer: { status: 'Valid' }, run: { outcome: 'Confirmed' } });
    expect(await failureOf(send(target, contract.cancelFlow, { runId }))).toBe('RunEnded');
    expect(await failureOf(send(target, contract.cancelFlow, { runId: randomUUID() }))).toBe('RunNotFound');
  });

  test('a canceled flow run ends, and its code is closed', async () => {
    const target = await create();
    const plan = planOf(smsTokenFlow, target.id);
    await send(target, contract.startFlow, plan);
    expect(await send(target, contract.cancelFlow, { runId: plan.runId })).toMatchObject({ status: 'Canceled' });
    const check = (digest = '') =>
      send(target, contract.checkFlowCode, { runId: plan.runId, digests: { [smsToken.name]: digest } });
    expect(await failureOf(check(plan.firstCode?.digest))).toBe('TokenClosed');
    expect(await failureOf(check('other'))).toBe('RunEnded');
  });

  test('images are submitted in one browser, decided once, and erased', async () => {
    const target = await create();
    const biometricsId = await submitImages(target);
    expect(await failureOf(act(target, biometricsId, { action: 'open' }, 'another browser'))).toBe('LinkTaken');
    const decision = { biometricsId, status: 'Approved', by: 'reviewer', reason: 'seen' } as const;
    expect(await send(target, contract.decideBiometrics, decision)).toMatchObject({ status: 'Approved' });
    expect(await failureOf(send(target, contract.decideBiometrics, decision))).toBe('NotInReview');
    expect(await send(target, contract.eraseBiometrics, { by: 'caller' })).toEqual({ erasedAt: expect.any(String) });
    expect((await transactions.readState(target)).biometrics?.[0]?.erasedAt).toEqual(expect.any(String));
  });
});
