import { limits } from '../../../domain/transactions/limits';
import type { FlowRun } from '../../../domain/flows/run';
import { addRun } from '../../../domain/flows/runs';
import { type AwaitedView, viewRun } from '../../../domain/flows/view-run';
import { addSend } from '../../../domain/confirmations/send';
import type { TransactionState } from '../../../domain/transactions/state';
import { smsToken } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { buildState, addMs, propose } from '../../support/build';
import { planOf } from '../../support/flow-plan';

const now = '2026-06-01T12:00:00.000Z';

/** A flow run that requested a code, and its transaction. `changes` apply to the confirmation. */
function buildRunWithCode(changes: Partial<TransactionState['confirmations'][number]> = {}, attemptsUsed = 0) {
  const initial = buildState({}, now);
  const startResult = addRun(initial, planOf(smsTokenFlow, initial.id), now);
  if ('error' in startResult) throw new Error(startResult.error.message);
  const requestResult = addSend(startResult.state, propose(smsToken, initial.id), now);
  if ('error' in requestResult) throw new Error(requestResult.error.message);
  const { state, confirmation } = requestResult;
  const run: FlowRun = { ...startResult.run, awaiting: { confirmationId: confirmation.id } };
  return { run, state: { ...state, attemptsUsed, confirmations: [{ ...confirmation, ...changes }] } };
}

const viewAwaited = ({
  state,
  run,
}: ReturnType<typeof buildRunWithCode>): Partial<Extract<AwaitedView, { kind: 'token' }>> =>
  viewRun(state, run).awaited as Extract<AwaitedView, { kind: 'token' }>;

test('`awaited` has the attempts and messages that are left, and the time of the next allowed send', () => {
  expect(viewAwaited(buildRunWithCode())).toEqual({
    kind: 'token',
    channel: 'sms',
    expiresAt: addMs(now, smsToken.expiresAfterMs),
    sendsLeft: smsToken.sendLimit - 1,
    resendAt: addMs(now, smsToken.resendAfterMs),
    attemptsLeft: smsToken.attemptLimit,
  });
});

test('`awaited` has no next send if no message is left, or if the next send would come after the expiry', () => {
  expect(viewAwaited(buildRunWithCode({ replacedSends: smsToken.sendLimit - 1 }))).toMatchObject({ sendsLeft: 0 });
  expect(viewAwaited(buildRunWithCode({ replacedSends: smsToken.sendLimit - 1 }))).not.toHaveProperty('resendAt');
  const shortLivedRun = buildRunWithCode({ expiresAt: addMs(now, smsToken.resendAfterMs) });
  expect(viewAwaited(shortLivedRun)).toMatchObject({ sendsLeft: smsToken.sendLimit - 1 });
  expect(viewAwaited(shortLivedRun)).not.toHaveProperty('resendAt');
});

test('`awaited` has the attempts that are left for the code or for the transaction, whichever number is lower', () => {
  expect(viewAwaited(buildRunWithCode({ attemptsUsed: 3 }))).toMatchObject({
    attemptsLeft: (smsToken.attemptLimit ?? 0) - 3,
  });
  expect(viewAwaited(buildRunWithCode({}, limits.attemptsPerTransaction - 1))).toMatchObject({ attemptsLeft: 1 });
});
