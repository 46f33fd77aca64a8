import { limits } from '../../../domain/limits';
import type { FlowRun } from '../../../domain/flows/run';
import { startRun } from '../../../domain/flows/start-run';
import { type Awaited, viewRun } from '../../../domain/flows/view-run';
import { requestConfirmation } from '../../../domain/request-confirmation';
import type { TransactionState } from '../../../domain/state';
import { smsToken } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { buildState, addMs, propose } from '../../support/build';
import { planOf } from '../../support/flow-plan';

const at = '2026-06-01T12:00:00.000Z';

/** A transaction whose run requested a code, with changes to the confirmation. */
function requestedState(changes: Partial<TransactionState['confirmations'][number]> = {}, attemptsUsed = 0) {
  const initial = buildState({}, at);
  const started = startRun(initial, planOf(smsTokenFlow, initial.id), at);
  if ('error' in started) throw new Error(started.error.message);
  const requested = requestConfirmation(started.state, propose(smsToken, initial.id), at);
  if ('error' in requested) throw new Error(requested.error.message);
  const { state, confirmation } = requested;
  const run: FlowRun = { ...started.run, awaiting: { confirmationId: confirmation.id } };
  return { run, state: { ...state, attemptsUsed, confirmations: [{ ...confirmation, ...changes }] } };
}

const awaitedOf = ({ state, run }: ReturnType<typeof requestedState>): Partial<Extract<Awaited, { kind: 'token' }>> =>
  viewRun(state, run).awaited as Extract<Awaited, { kind: 'token' }>;

test('awaited has its attempts, its messages, and the time of the next allowed send', () => {
  expect(awaitedOf(requestedState())).toEqual({
    kind: 'token',
    channel: 'sms',
    expiresAt: addMs(at, smsToken.expiresAfterMs),
    sendsLeft: smsToken.sendLimit - 1,
    resendAt: addMs(at, smsToken.resendAfterMs),
    attemptsLeft: smsToken.attemptLimit,
  });
});

test('awaited has no next send when no message is left, or when it would come after the expiry', () => {
  expect(awaitedOf(requestedState({ sendsBefore: smsToken.sendLimit - 1 }))).toMatchObject({ sendsLeft: 0 });
  expect(awaitedOf(requestedState({ sendsBefore: smsToken.sendLimit - 1 }))).not.toHaveProperty('resendAt');
  const brief = requestedState({ expiresAt: addMs(at, smsToken.resendAfterMs) });
  expect(awaitedOf(brief)).toMatchObject({ sendsLeft: smsToken.sendLimit - 1 });
  expect(awaitedOf(brief)).not.toHaveProperty('resendAt');
});

test('the attempts are those of the code, limited by those of the transaction', () => {
  expect(awaitedOf(requestedState({ attemptsUsed: 3 }))).toMatchObject({
    attemptsLeft: (smsToken.attemptLimit ?? 0) - 3,
  });
  expect(awaitedOf(requestedState({}, limits.attemptsPerTransaction - 1))).toMatchObject({ attemptsLeft: 1 });
});
