import type { Confirmation } from '../../../domain/confirmations/confirmation';
import { addSend } from '../../../domain/confirmations/send';
import type { ConfirmationSettings } from '../../../domain/confirmations/settings';
import type { ConfirmStep } from '../../../domain/flows/definition';
import {
  applyDeliveryCheck,
  codeToRepeat,
  deliveryCheckAt,
  isUndelivered,
} from '../../../domain/flows/delivery-deadline';
import type { RunningFlowRun } from '../../../domain/flows/run';
import { decideOnStart } from '../../../domain/flows/run-commands';
import { withRun } from '../../../domain/flows/runs';
import type { TransactionState } from '../../../domain/transactions/state';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { addMs, buildState } from '../../support/build';
import { planOf } from '../../support/flow-plan';

const now = '2026-06-01T12:00:00.000Z';
const at = (seconds: number) => addMs(now, seconds * 1_000);

const exits = { Valid: 'end', Expired: 'end', Blocked: 'end', Failed: 'end', Undelivered: 'end' };
const untimed: ConfirmStep = { ...(flowWithEveryKind.steps['code'] as ConfirmStep), exits, exhausted: 'end' };
const timed: ConfirmStep = { ...untimed, deliverWithinSeconds: 20 };

interface Waiting {
  state: TransactionState;
  run: RunningFlowRun;
  confirmation: Confirmation;
  settings: ConfirmationSettings;
}

/** A flow run that waits for the code of its first message. */
function startWaiting(step = timed): Waiting {
  const initial = buildState({}, now);
  const steps = { code: step, end: { kind: 'outcome' as const, outcome: 'Over' } };
  const plan = planOf({ name: 'tested', version: 1, start: 'code', steps }, initial.id);
  const started = decideOnStart(initial, plan, now);
  const proposal = plan.confirmations['code'];
  if (!('state' in started) || !proposal) throw new Error('The flow run does not start.');
  const sent = addSend(started.state, { ...proposal, confirmationId: 'first', digest: 'd' }, now);
  if ('error' in sent) throw new Error(sent.error.type);
  const run = { ...started.state.runs?.[0], awaiting: { confirmationId: 'first' } } as RunningFlowRun;
  const state = withRun(sent.state, run);
  return { state, run, confirmation: confirmationIn(state), settings: proposal.settings };
}

function confirmationIn({ confirmations: [first] }: TransactionState): Confirmation {
  if (!first) throw new Error('There is no confirmation.');
  return first;
}

const newestSend = ({ sends }: Confirmation) => sends.at(-1)?.id ?? '';

test('a message is checked once, at the end of its time', () => {
  const { state, run, confirmation } = startWaiting();
  expect(deliveryCheckAt(state, run)).toBe(at(20));
  const checked = applyDeliveryCheck(state, run, 'withoutReports', newestSend(confirmation));
  expect(deliveryCheckAt(checked, checked.runs?.[0] as RunningFlowRun)).toBeUndefined();
  expect(confirmationIn(checked)).toEqual(confirmation);
  const unchecked = startWaiting(untimed);
  expect(deliveryCheckAt(unchecked.state, unchecked.run)).toBeUndefined();
});

test('without a report in time, the confirmation fails, with all its messages', () => {
  const { state, run, confirmation } = startWaiting();
  const failed = confirmationIn(applyDeliveryCheck(state, run, 'missing', newestSend(confirmation)));
  expect([failed.status, failed.sends.map((send) => send.state)]).toEqual(['Failed', ['failed']]);
  expect([isUndelivered(failed), isUndelivered(confirmation)]).toEqual([true, false]);
});

test('a check of an older message, or of a closed confirmation, changes nothing', () => {
  const { state, run, confirmation } = startWaiting();
  expect(applyDeliveryCheck(state, run, 'missing', 'first.0')).toBe(state);
  const closed = { ...state, confirmations: [{ ...confirmation, status: 'Valid' as const }] };
  expect(applyDeliveryCheck(closed, run, 'missing', newestSend(confirmation))).toBe(closed);
  expect(deliveryCheckAt(closed, run)).toBeUndefined();
});

/** The id of the code that the next message repeats 30 s later, after a change of the earlier confirmation, the next settings or the time. */
function repeatedCode(
  changed: Partial<Confirmation> = {},
  next: Partial<ConfirmationSettings> = {},
  secondsLater = 30,
): string | undefined {
  const { state, run, confirmation, settings } = startWaiting();
  const failed = applyDeliveryCheck(state, run, 'missing', newestSend(confirmation));
  const confirmations = [{ ...confirmationIn(failed), ...changed }];
  return codeToRepeat({ ...failed, confirmations }, run, { ...settings, ...next }, at(secondsLater))?.id;
}

test('the next message repeats the code of a message that did not arrive', () => {
  expect(repeatedCode()).toBe('first');
  expect(repeatedCode({}, { channel: 'voice' })).toBe('first');
});

const { settings: first } = startWaiting();
test.each<[string, ...Parameters<typeof repeatedCode>]>([
  ['whose message failed in another way', { sends: [] }],
  ['of another flow', { settings: { ...first, origin: 'tested-too/code' } }],
  ['of an earlier run of the flow', { createdAt: at(-1) }],
  ['of a question', { settings: { ...first, kind: 'secondFactor' } }],
  ['with another number of digits', {}, { codeDigits: 8 }],
  ['without attempts left', { attemptsUsed: 5 }],
  ['sent to a mailbox', {}, { channel: 'email' }],
  // The code of the step lives 300 s, so after 301 s its repetition would live for more than 10 minutes.
  ['that would live for more than 10 minutes', {}, {}, 301],
])('the next message has a new code instead of one %s', (_, ...change) => {
  expect(repeatedCode(...change)).toBeUndefined();
});

test('a code that was repeated before counts from its first message', () => {
  const { state, run, confirmation, settings } = startWaiting();
  const failed = confirmationIn(applyDeliveryCheck(state, run, 'missing', newestSend(confirmation)));
  const again = { ...failed, id: 'again', codeId: 'first', createdAt: at(200) };
  const repeatable = (seconds: number) =>
    codeToRepeat({ ...state, confirmations: [failed, again] }, run, settings, at(seconds))?.id;
  expect([repeatable(300), repeatable(301)]).toEqual(['again', undefined]);
});
