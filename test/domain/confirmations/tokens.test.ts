import { checkCode, denyToken } from '../../../domain/confirmations/check-code';
import { messageOf } from '../../../domain/confirmations/confirmation';
import { applyDeliveryStatus } from '../../../domain/confirmations/delivery';
import { withAssessment } from '../../../domain/transactions/outcome';
import { defaultPolicy } from '../../../domain/scoring/policy';
import { limits } from '../../../domain/transactions/limits';
import { operatorPanel } from '../../../domain/operator-panel/operator-panel';
import { addSend, revertSend } from '../../../domain/confirmations/send';
import { currentConfirmation, type TransactionState } from '../../../domain/transactions/state';
import { toView } from '../../../domain/transactions/views';
import type { ConfirmationSettings } from '../../../domain/confirmations/settings';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import { addMs, buildState, codeOf, propose, testKeys } from '../../support/build';

function request(state: TransactionState, settings: ConfirmationSettings, id: string, at: string): TransactionState {
  const result = addSend(state, propose(settings, state.id, id), at);
  if ('error' in result) throw new Error(result.error.type);
  return result.state;
}

const markAsSent = (state: TransactionState, sendId: string, at: string) =>
  applyDeliveryStatus(state, sendId, { status: 'accepted' }, at) ?? state;

/** Returns the new state, and the status that the caller gets. */
function tryCode(state: TransactionState, settings: ConfirmationSettings, code: string, at: string) {
  const result = checkCode(state, settings.name, digestTypedCode(testKeys, state.id, settings.name, code), at);
  if ('error' in result) return { state, status: result.error.details.about?.status ?? 'none' };
  const { allowed } = result.outcomes;
  return { state: allowed.state, status: allowed.answer.status };
}

function tryWrongCodes(
  state: TransactionState,
  settings: ConfirmationSettings,
  times: number,
  at: string,
): TransactionState {
  let currentState = state;
  for (let time = 0; time < times; time += 1) currentState = tryCode(currentState, settings, 'wrong', at).state;
  return currentState;
}

const initialState = buildState();
const minutesLater = (minutes: number) => addMs(initialState.createdAt, minutes * 60_000);

test('when a message with a new code is sent, the old code is Superseded, and attempts at the old code count for the new code', () => {
  const firstState = tryWrongCodes(
    markAsSent(request(initialState, emailToken, 'a', minutesLater(0)), 'a.1', minutesLater(0)),
    emailToken,
    2,
    minutesLater(0),
  );
  const secondState = request(firstState, emailToken, 'b', minutesLater(2));
  expect(secondState.confirmations.map(({ status }) => status)).toEqual(['Waiting', 'Waiting']);
  const sentState = markAsSent(secondState, 'b.1', minutesLater(2));
  expect(sentState.confirmations.map(({ status }) => status)).toEqual(['Superseded', 'Waiting']);
  expect(tryCode(sentState, emailToken, codeOf(emailToken, initialState.id, 'a'), minutesLater(3)).status).toBe(
    'Superseded',
  );
  expect(currentConfirmation(tryWrongCodes(sentState, emailToken, 3, minutesLater(3)), 'email-token')?.status).toBe(
    'Blocked',
  );
  expect(tryCode(sentState, emailToken, codeOf(emailToken, initialState.id, 'b'), minutesLater(3)).status).toBe(
    'Valid',
  );
});

test('if the message with a new code is rejected, the earlier code stays open, and the attempts in the meantime count', () => {
  const secondState = request(
    markAsSent(request(initialState, emailToken, 'a', minutesLater(0)), 'a.1', minutesLater(0)),
    emailToken,
    'b',
    minutesLater(2),
  );
  const revertedState = revertSend(
    tryWrongCodes(secondState, emailToken, 3, minutesLater(2)),
    'b.1',
    'DestinationRefused 21211',
    minutesLater(2),
  );
  expect(revertedState.confirmations).toMatchObject([{ id: 'a', status: 'Waiting', attemptsUsed: 3 }]);
  expect(tryCode(revertedState, emailToken, codeOf(emailToken, initialState.id, 'a'), minutesLater(3)).status).toBe(
    'Valid',
  );
});

test('if the message with a new code is rejected, an earlier code that was blocked in the meantime stays blocked', () => {
  const secondState = request(
    markAsSent(request(initialState, emailToken, 'a', minutesLater(0)), 'a.1', minutesLater(0)),
    emailToken,
    'b',
    minutesLater(2),
  );
  const blockedState = revertSend(
    tryWrongCodes(secondState, emailToken, 5, minutesLater(2)),
    'b.1',
    'DestinationRefused 21211',
    minutesLater(2),
  );
  expect(tryCode(blockedState, emailToken, codeOf(emailToken, initialState.id, 'a'), minutesLater(3)).status).toBe(
    'Blocked',
  );
  expect(tryCode(blockedState, emailToken, codeOf(emailToken, initialState.id, 'b'), minutesLater(3)).status).toBe(
    'Blocked',
  );
});

test('no two sends have the same id, even after a send was rejected', () => {
  const firstState = markAsSent(request(initialState, smsToken, 'a', minutesLater(0)), 'a.1', minutesLater(0));
  const resentState = request(
    revertSend(request(firstState, smsToken, 'x', minutesLater(1)), 'a.2', 'DestinationRefused 21211', minutesLater(1)),
    smsToken,
    'y',
    minutesLater(2),
  );
  expect(currentConfirmation(resentState, 'sms-token')?.sends.map(({ id }) => id)).toEqual(['a.1', 'a.3']);
});

test('a token fails if its first message was not delivered and its second message is rejected', () => {
  const firstState = markAsSent(request(initialState, smsToken, 'a', minutesLater(0)), 'a.1', minutesLater(0));
  const secondState =
    applyDeliveryStatus(
      request(firstState, smsToken, 'x', minutesLater(1)),
      'a.1',
      { status: 'failed' },
      minutesLater(1),
    ) ?? firstState;
  expect(currentConfirmation(secondState, 'sms-token')?.status).toBe('Waiting');
  expect(
    currentConfirmation(revertSend(secondState, 'a.2', 'DestinationRefused 21211', minutesLater(1)), 'sms-token')
      ?.status,
  ).toBe('Failed');
});

test('every open token is Blocked after the last attempt of the transaction', () => {
  let state = markAsSent(request(initialState, emailToken, 'mail', minutesLater(0)), 'mail.1', minutesLater(0));
  for (const round of [0, 6, 12]) {
    state = markAsSent(request(state, smsToken, `s${round}`, minutesLater(round)), `s${round}.1`, minutesLater(round));
    state = tryWrongCodes(state, smsToken, 5, minutesLater(round));
  }
  expect(state.attemptsUsed).toBe(limits.attemptsPerTransaction);
  const view = toView(state, minutesLater(13));
  expect([view.smsToken?.status, view.emailToken?.status]).toEqual(['Blocked', 'Blocked']);
  expect(addSend(state, propose(smsToken, initialState.id, 'z'), minutesLater(20))).toMatchObject({
    error: { type: 'AttemptLimitReached' },
  });
});

test('if the person confirms before the first assessment, the score of the confirmation comes after the initial score', () => {
  const sentState = markAsSent(request(initialState, smsToken, 'a', minutesLater(0)), 'a.1', minutesLater(0));
  const { state } = tryCode(sentState, smsToken, codeOf(smsToken, initialState.id, 'a'), minutesLater(1));
  const assessedState = withAssessment(state, {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  });
  expect(assessedState.scores).toMatchObject([
    { reason: 'Initial', value: 50, createdAt: initialState.createdAt },
    { reason: 'PhoneChecked', value: 70, createdAt: minutesLater(1) },
  ]);
});

test('if the person uses the code and then denies, both before the first assessment, the last score is that of the denial', () => {
  const sentState = markAsSent(request(initialState, emailToken, 'a', minutesLater(0)), 'a.1', minutesLater(0));
  const { state } = tryCode(sentState, emailToken, codeOf(emailToken, initialState.id, 'a'), minutesLater(1));
  const deniedState = denyToken(state, 'a', minutesLater(2)) ?? state;
  expect(currentConfirmation(deniedState, 'email-token')).toMatchObject({
    status: 'Valid',
    repliedAt: minutesLater(1),
  });
  expect(denyToken(deniedState, 'a', minutesLater(3))).toBeUndefined();
  expect(operatorPanel(deniedState)).toMatch(
    /^\*\*Denied\*\*[^]* email-token: \*\*Valid\*\* \(denied \d\d:\d\d:\d\d\)/,
  );
  const evidence = { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } } as const;
  const { scores } = withAssessment(deniedState, { evidence, policy: defaultPolicy });
  expect(scores.map(({ reason, createdAt }) => [reason, createdAt])).toEqual([
    ['Initial', initialState.createdAt],
    ['EmailChecked', minutesLater(1)],
    ['Denied', minutesLater(2)],
  ]);
});

test('a resent message says how many minutes remain', () => {
  const resentState = request(
    markAsSent(request(initialState, smsToken, 'a', minutesLater(0)), 'a.1', minutesLater(0)),
    smsToken,
    'x',
    minutesLater(3.5),
  );
  const token = currentConfirmation(resentState, 'sms-token');
  const texts = token?.sends.map((send) => messageOf(token, send).body.match(/por (\d+) min\./)?.[1]);
  expect(texts).toEqual(['5', '1']);
});
