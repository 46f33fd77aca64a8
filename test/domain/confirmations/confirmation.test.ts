import * as fc from 'fast-check';
import { checkCode } from '../../../domain/confirmations/check-code';
import { applyDeliveryStatus, type DeliveryStatus, expireConfirmations } from '../../../domain/confirmations/delivery';
import { applyReply } from '../../../domain/confirmations/replies';
import { addSend, revertSend } from '../../../domain/confirmations/send';
import { currentConfirmation, type TransactionState } from '../../../domain/transactions/state';
import { toView } from '../../../domain/transactions/views';
import { limits } from '../../../domain/transactions/limits';
import { confirmations, smsToken, whatsappSecondFactor } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import { addMs, buildState, codeOf, propose, testKeys } from '../../support/build';

/** What can happen to a transaction. `afterMs`: since the previous event. `revertSend`: the provider rejects a message at once. */
type TransactionEvent = { afterMs: number } & (
  | { kind: 'request'; settingsIndex: number }
  | { kind: 'answer'; settingsIndex: number; right: boolean }
  | { kind: 'reply'; text: string }
  | { kind: 'deliveryStatus'; sendIndex: number; status: DeliveryStatus }
  | { kind: 'expire' }
  | { kind: 'revertSend' }
);

const afterMs = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 120_000 }), fc.integer({ min: 1, max: 3_600_000 }));
const settingsIndex = fc.nat(confirmations.length - 1);
const anyEvent: fc.Arbitrary<TransactionEvent> = fc.oneof(
  fc.record({ afterMs, kind: fc.constant('request' as const), settingsIndex }),
  fc.record({ afterMs, kind: fc.constant('answer' as const), settingsIndex, right: fc.boolean() }),
  fc.record({
    afterMs,
    kind: fc.constant('reply' as const),
    text: fc.constantFrom('sim', 'NÃO', 'quem é', '1', '2', 'stop'),
  }),
  fc.record({
    afterMs,
    kind: fc.constant('deliveryStatus' as const),
    sendIndex: fc.nat(9),
    status: fc.constantFrom<DeliveryStatus>('accepted', 'sent', 'delivered', 'read', 'failed'),
  }),
  fc.record({ afterMs, kind: fc.constant('expire' as const) }),
  fc.record({ afterMs, kind: fc.constant('revertSend' as const) }),
);

let lastConfirmationNumber = 0;

function apply(state: TransactionState, event: TransactionEvent, now: string): TransactionState {
  if (event.kind === 'expire') return expireConfirmations(state, now);
  if (event.kind === 'revertSend') {
    const pendingSend = state.confirmations
      .flatMap((confirmation) => confirmation.sends)
      .findLast((send) => send.state === 'pending');
    return pendingSend ? revertSend(state, pendingSend.id, 'ProviderRefused', now) : state;
  }
  if (event.kind === 'deliveryStatus') {
    const sends = state.confirmations.flatMap((confirmation) => confirmation.sends);
    const send = sends[event.sendIndex % Math.max(1, sends.length)];
    return (send && applyDeliveryStatus(state, send.id, { status: event.status }, now)) ?? state;
  }
  if (event.kind === 'reply') {
    const secondFactor = state.confirmations.findLast(({ settings }) => settings.kind === 'secondFactor');
    return (secondFactor && applyReply(state, secondFactor.id, { text: event.text }, now)) ?? state;
  }
  const settings = confirmations[event.settingsIndex];
  if (!settings) return state;
  if (event.kind === 'request') {
    lastConfirmationNumber += 1;
    const requestResult = addSend(state, propose(settings, state.id, `c${lastConfirmationNumber}`), now);
    return 'error' in requestResult ? state : requestResult.state;
  }
  const token = currentConfirmation(state, settings.name);
  const value = event.right && token ? codeOf(settings, state.id, token.id) : 'wrong';
  const result = checkCode(state, settings.name, digestTypedCode(testKeys, state.id, settings.name, value), now);
  return 'error' in result ? state : result.outcomes.allowed.state;
}

/** The state after each event, with its time. */
function applyAll(events: readonly TransactionEvent[]): { state: TransactionState; now: string }[] {
  let state = buildState();
  let now = state.createdAt;
  return events.map((event) => {
    now = addMs(now, event.afterMs);
    state = apply(state, event, now);
    return { state, now };
  });
}

const anyStates = fc.array(anyEvent, { maxLength: 60 }).map(applyAll);
const endStatuses = ['Valid', 'Expired', 'Blocked', 'Failed', 'Replied', 'Superseded'];

test('a confirmation with a final status never opens again and never changes its status', () => {
  fc.assert(
    fc.property(anyStates, (states) => {
      const finalStatuses = new Map<string, string>();
      for (const { state } of states)
        for (const { id, status } of state.confirmations) {
          if (finalStatuses.has(id)) expect(status).toBe(finalStatuses.get(id));
          if (endStatuses.includes(status)) finalStatuses.set(id, status);
        }
    }),
  );
});

test('the evaluated attempts stay within the limit of each token and within the limit of the transaction', () => {
  fc.assert(
    fc.property(anyStates, (states) => {
      for (const { state } of states) {
        expect(state.attemptsUsed).toBeLessThanOrEqual(limits.attemptsPerTransaction);
        for (const { settings, attemptsUsed } of state.confirmations)
          expect(attemptsUsed).toBeLessThanOrEqual(settings.attemptLimit ?? 0);
      }
    }),
  );
});

test('the number of used attempts never decreases, and at most `sendLimit` tokens with the same settings are open', () => {
  fc.assert(
    fc.property(anyStates, (states) => {
      let attemptsBefore = 0;
      for (const { state } of states) {
        expect(state.attemptsUsed).toBeGreaterThanOrEqual(attemptsBefore);
        attemptsBefore = state.attemptsUsed;
        for (const settings of confirmations.filter(({ kind }) => kind === 'token')) {
          const openTokens = state.confirmations.filter(
            (other) => other.settings.name === settings.name && other.status === 'Waiting',
          );
          // An earlier token closes only when the message of the newer token was sent. Until then, both are open.
          expect(openTokens.length).toBeLessThanOrEqual(settings.sendLimit);
        }
      }
    }),
  );
});

test('the messages of a confirmation stay within its limit, and there is a pause before each further message', () => {
  fc.assert(
    fc.property(anyStates, (states) => {
      const { state } = states.at(-1) ?? { state: buildState() };
      const allSends = state.confirmations.flatMap(({ sends }) => sends);
      expect(allSends.length).toBeLessThanOrEqual(limits.sendsPerTransaction);
      for (const { settings, sends, replacedSends } of state.confirmations)
        expect(replacedSends + sends.length).toBeLessThanOrEqual(settings.sendLimit);
      for (const settings of confirmations) {
        const times = state.confirmations
          .filter((c) => c.settings.name === settings.name)
          .flatMap(({ sends }) => sends.map(({ at }) => Date.parse(at)));
        times
          .slice(1)
          .forEach((time, index) => expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(settings.resendAfterMs));
      }
    }),
  );
});

test('the statuses in the log of a confirmation only move forward, and each occurs at most once', () => {
  const statusOrder = ['Waiting', 'Sent', 'Delivered', 'Read', 'Replied'];
  fc.assert(
    fc.property(anyStates, (states) => {
      for (const { state } of states)
        for (const { log, sends } of state.confirmations) {
          if (sends.length > 1) continue;
          const ranks = log.map(({ status }) => statusOrder.indexOf(status)).filter((position) => position >= 0);
          expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
          expect(new Set(log.map(({ status }) => status)).size).toBe(log.length);
        }
    }),
  );
});

test('a read never shows a confirmation as open after its expiry', () => {
  fc.assert(
    fc.property(anyStates, fc.integer({ min: 0, max: 7_200_000 }), (states, aheadMs) => {
      for (const { state, now } of states) {
        const laterTime = addMs(now, aheadMs);
        const { smsToken: token, smsMessages } = toView(state, laterTime);
        if (token?.status === 'Waiting') expect(token.expirationTime > laterTime).toBe(true);
        const newestMessage = smsMessages[0];
        if (newestMessage && ['Waiting', 'Sent', 'Delivered'].includes(newestMessage.status))
          expect(newestMessage.expirationTime > laterTime).toBe(true);
      }
    }),
  );
});

test('a code of one transaction is invalid in another transaction', () => {
  const [left, right] = [buildState(), buildState()];
  const result = addSend(left, propose(smsToken, left.id, 'same'), left.createdAt);
  const otherResult = addSend(right, propose(smsToken, right.id, 'same'), right.createdAt);
  if ('error' in result || 'error' in otherResult) throw new Error('not accepted');
  const digest = digestTypedCode(testKeys, left.id, smsToken.name, codeOf(smsToken, left.id, 'same'));
  expect(checkCode(otherResult.state, smsToken.name, digest, right.createdAt)).toMatchObject({ isCorrect: false });
  expect(checkCode(result.state, smsToken.name, digest, left.createdAt)).toMatchObject({ isCorrect: true });
});

test('`whatsappMessages` have the documented fields; `sendLimit` counts the messages left: 2 after one of three, 0 after a reply', () => {
  const state = buildState();
  const result = addSend(state, propose(whatsappSecondFactor, state.id, 'w'), state.createdAt);
  if ('error' in result) throw new Error('not accepted');
  const sentState =
    applyDeliveryStatus(result.state, 'w.1', { status: 'sent' }, addMs(state.createdAt, 1_000)) ?? state;
  const repliedState = applyReply(sentState, 'w', { option: 1 }, addMs(state.createdAt, 2_000)) ?? state;
  const records = toView(repliedState, addMs(state.createdAt, 3_000)).whatsappMessages ?? [];
  expect(records.map(({ status, sendLimit }) => [status, sendLimit])).toEqual([
    ['Replied', 0],
    ['Sent', 2],
    ['Waiting', 2],
  ]);
  expect(records[0]).toMatchObject({ text: 'SIM', reply: { option: 1 }, createdAt: expect.not.stringMatching(/Z$/) });
  expect(new Set(records.map(({ expirationTime }) => expirationTime))).toEqual(
    new Set([addMs(state.createdAt, 1_800_000)]),
  );
});

test('if a confirmation has no messages left, a request for another message is rejected until the confirmation expires', () => {
  const state = buildState();
  const proposal = propose({ ...smsToken, sendLimit: 1 }, state.id, 'once');
  const firstResult = addSend(state, proposal, state.createdAt);
  if ('error' in firstResult) throw new Error('not accepted');
  const secondResult = addSend(firstResult.state, proposal, addMs(state.createdAt, 1_000));
  expect(secondResult).toMatchObject({ error: { type: 'SendLimitReached', details: { retryAfterSeconds: 299 } } });
});

test('a request is rejected when the transaction has no remaining messages', () => {
  let state = buildState();
  const proposal = propose({ ...smsToken, sendLimit: 20, resendAfterMs: 0 }, state.id, 'often');
  for (let sends = 0; sends < limits.sendsPerTransaction; sends += 1) {
    const result = addSend(state, proposal, state.createdAt);
    if ('error' in result) throw new Error('not accepted');
    state = result.state;
  }
  const nextProposal = { ...proposal, settings: { ...proposal.settings, resendAfterMs: 60_000 } };
  expect(addSend(state, nextProposal, addMs(state.createdAt, 1_000))).toMatchObject({
    error: { type: 'TransactionSendLimitReached' },
  });
  // The open confirmation has no messages left either. The error names the limit of the transaction, which still applies after the
  // confirmation ends.
  const lastProposal = { ...proposal, settings: { ...proposal.settings, sendLimit: limits.sendsPerTransaction } };
  expect(addSend(state, lastProposal, addMs(state.createdAt, 1_000))).toMatchObject({
    error: { type: 'TransactionSendLimitReached' },
  });
});

test('a neutral reply ends the second factor, and changes nothing else in the state', () => {
  const label = { 'pt-BR': 'DEPOIS', en: 'LATER', es: 'DESPUÉS' };
  const options = [
    ...(whatsappSecondFactor.options ?? []),
    { option: 3, meaning: 'neither', label, words: ['depois'] },
  ] as const;
  const initialState = buildState();
  const result = addSend(
    initialState,
    propose({ ...whatsappSecondFactor, options }, initialState.id, 'w'),
    initialState.createdAt,
  );
  if ('error' in result) throw new Error('not accepted');
  const repliedAt = addMs(initialState.createdAt, 5_000);
  const repliedState = applyReply(result.state, 'w', { text: 'Depois!' }, repliedAt);
  const {
    confirmations: [confirmation],
    ...otherFields
  } = repliedState ?? initialState;
  expect(confirmation).toMatchObject({ status: 'Replied', outcome: 'neither', repliedAt });
  const { confirmations: _, ...expectedFields } = result.state;
  expect(otherFields).toEqual(expectedFields);
  expect(applyReply(repliedState ?? initialState, 'w', { option: 1 }, repliedAt)).toBeUndefined();
});
