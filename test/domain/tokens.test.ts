import { answerToken, denyToken } from '../../domain/token-answer';
import { messageOf } from '../../domain/confirmation';
import { applyDeliveryStatus } from '../../domain/delivery-status';
import { withAssessment } from '../../domain/outcome';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { limits } from '../../domain/limits';
import { operatorPanel } from '../../domain/operator-panel/operator-panel';
import { requestConfirmation } from '../../domain/request-confirmation';
import { currentConfirmation, type TransactionState } from '../../domain/state';
import { toView } from '../../domain/views';
import { revertSend } from '../../domain/revert-send';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import { emailToken, smsToken } from '../../flows/confirmations';
import { digestTypedCode } from '../../platform/codes';
import { buildState, codeOf, addMs, propose, testKeys } from '../support/build';

function request(state: TransactionState, settings: ConfirmationSettings, id: string, at: string): TransactionState {
  const requested = requestConfirmation(state, propose(settings, state.id, id), at);
  if ('error' in requested) throw new Error(requested.error.type);
  return requested.state;
}

const sent = (state: TransactionState, sendId: string, at: string) =>
  applyDeliveryStatus(state, sendId, { status: 'accepted' }, at) ?? state;

function tryValue(state: TransactionState, settings: ConfirmationSettings, value: string, at: string) {
  const answered = answerToken(state, settings.name, digestTypedCode(testKeys, state.id, settings.name, value), at);
  return answered.kind === 'evaluated'
    ? { state: answered.state, status: answered.answer.status }
    : { state, status: answered.kind === 'closed' ? answered.answer.status : 'none' };
}

function tryWrong(
  state: TransactionState,
  settings: ConfirmationSettings,
  times: number,
  at: string,
): TransactionState {
  let attempted = state;
  for (let time = 0; time < times; time += 1) attempted = tryValue(attempted, settings, 'wrong', at).state;
  return attempted;
}

const start = buildState();
const minute = (minutes: number) => addMs(start.createdAt, minutes * 60_000);

test('a rotated code is Superseded once the newer message is sent, and the attempts move to the new code', () => {
  const first = tryWrong(sent(request(start, emailToken, 'a', minute(0)), 'a.1', minute(0)), emailToken, 2, minute(0));
  const second = request(first, emailToken, 'b', minute(2));
  expect(second.confirmations.map(({ status }) => status)).toEqual(['Waiting', 'Waiting']);
  const out = sent(second, 'b.1', minute(2));
  expect(out.confirmations.map(({ status }) => status)).toEqual(['Superseded', 'Waiting']);
  expect(tryValue(out, emailToken, codeOf(emailToken, start.id, 'a'), minute(3)).status).toBe('Superseded');
  expect(currentConfirmation(tryWrong(out, emailToken, 3, minute(3)), 'email-token')?.status).toBe('Blocked');
  expect(tryValue(out, emailToken, codeOf(emailToken, start.id, 'b'), minute(3)).status).toBe('Valid');
});

test('a rejected resend restores the older code, with the attempts that were used meanwhile', () => {
  const second = request(
    sent(request(start, emailToken, 'a', minute(0)), 'a.1', minute(0)),
    emailToken,
    'b',
    minute(2),
  );
  const attempted = revertSend(
    tryWrong(second, emailToken, 3, minute(2)),
    'b.1',
    'DestinationRefused 21211',
    minute(2),
  );
  expect(attempted.confirmations).toMatchObject([{ id: 'a', status: 'Waiting', attemptsUsed: 3 }]);
  expect(tryValue(attempted, emailToken, codeOf(emailToken, start.id, 'a'), minute(3)).status).toBe('Valid');
});

test('a rejected resend does not reopen a code that was blocked meanwhile', () => {
  const second = request(
    sent(request(start, emailToken, 'a', minute(0)), 'a.1', minute(0)),
    emailToken,
    'b',
    minute(2),
  );
  const blocked = revertSend(tryWrong(second, emailToken, 5, minute(2)), 'b.1', 'DestinationRefused 21211', minute(2));
  expect(tryValue(blocked, emailToken, codeOf(emailToken, start.id, 'a'), minute(3)).status).toBe('Blocked');
  expect(tryValue(blocked, emailToken, codeOf(emailToken, start.id, 'b'), minute(3)).status).toBe('Blocked');
});

test('no two sends have the same id, not even after one was undone', () => {
  const first = sent(request(start, smsToken, 'a', minute(0)), 'a.1', minute(0));
  const again = request(
    revertSend(request(first, smsToken, 'x', minute(1)), 'a.2', 'DestinationRefused 21211', minute(1)),
    smsToken,
    'y',
    minute(2),
  );
  expect(currentConfirmation(again, 'sms-token')?.sends.map(({ id }) => id)).toEqual(['a.1', 'a.3']);
});

test('a failed send and a rejected one leave no time to wait', () => {
  const first = sent(request(start, smsToken, 'a', minute(0)), 'a.1', minute(0));
  const second =
    applyDeliveryStatus(request(first, smsToken, 'x', minute(1)), 'a.1', { status: 'failed' }, minute(1)) ?? first;
  expect(currentConfirmation(second, 'sms-token')?.status).toBe('Waiting');
  expect(
    currentConfirmation(revertSend(second, 'a.2', 'DestinationRefused 21211', minute(1)), 'sms-token')?.status,
  ).toBe('Failed');
});

test('every open token is Blocked after the last attempt of the transaction', () => {
  let state = sent(request(start, emailToken, 'mail', minute(0)), 'mail.1', minute(0));
  for (const round of [0, 6, 12]) {
    state = sent(request(state, smsToken, `s${round}`, minute(round)), `s${round}.1`, minute(round));
    state = tryWrong(state, smsToken, 5, minute(round));
  }
  expect(state.attemptsUsed).toBe(limits.attemptsPerTransaction);
  const view = toView(state, minute(13));
  expect([view.smsToken?.status, view.emailToken?.status]).toEqual(['Blocked', 'Blocked']);
  expect(requestConfirmation(state, propose(smsToken, start.id, 'z'), minute(20))).toMatchObject({
    error: { type: 'AttemptLimitReached' },
  });
});

test('a confirmation before the first assessment is scored after it', () => {
  const requested = sent(request(start, smsToken, 'a', minute(0)), 'a.1', minute(0));
  const { state } = tryValue(requested, smsToken, codeOf(smsToken, start.id, 'a'), minute(1));
  const assessed = withAssessment(state, {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  });
  expect(assessed.scores).toMatchObject([
    { reason: 'Initial', value: 50, createdAt: start.createdAt },
    { reason: 'PhoneChecked', value: 70, createdAt: minute(1) },
  ]);
});

test('a denial after the code was used, before the first assessment, is scored last', () => {
  const requested = sent(request(start, emailToken, 'a', minute(0)), 'a.1', minute(0));
  const { state } = tryValue(requested, emailToken, codeOf(emailToken, start.id, 'a'), minute(1));
  const denied = denyToken(state, 'a', minute(2)) ?? state;
  expect(currentConfirmation(denied, 'email-token')).toMatchObject({ status: 'Valid', repliedAt: minute(1) });
  expect(denyToken(denied, 'a', minute(3))).toBeUndefined();
  expect(operatorPanel(denied)).toMatch(/^\*\*Denied\*\*[^]* email-token: \*\*Valid\*\* \(denied \d\d:\d\d:\d\d\)/);
  const evidence = { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } } as const;
  const { scores } = withAssessment(denied, { evidence, policy: defaultPolicy });
  expect(scores.map(({ reason, createdAt }) => [reason, createdAt])).toEqual([
    ['Initial', start.createdAt],
    ['EmailChecked', minute(1)],
    ['Denied', minute(2)],
  ]);
});

test('a resent message has the remaining minutes', () => {
  const again = request(sent(request(start, smsToken, 'a', minute(0)), 'a.1', minute(0)), smsToken, 'x', minute(3.5));
  const token = currentConfirmation(again, 'sms-token');
  const texts = token?.sends.map((send) => messageOf(token, send).body.match(/por (\d+) min\./)?.[1]);
  expect(texts).toEqual(['5', '1']);
});
