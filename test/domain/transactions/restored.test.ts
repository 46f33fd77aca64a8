import { createLink } from '../../../domain/biometrics/link';
import { checkCode } from '../../../domain/confirmations/check-code';
import { addSend } from '../../../domain/confirmations/send';
import { addRun } from '../../../domain/flows/runs';
import { eventsOf } from '../../../domain/events/events-of';
import { endAfterRestore } from '../../../domain/transactions/restored';
import { dueAtOf } from '../../../domain/transactions/status';
import type { TransactionState } from '../../../domain/transactions/state';
import { flows } from '../../../flows';
import { smsToken as token, whatsappSecondFactor as question } from '../../../flows/confirmations';
import { unwrap } from '../../../workflows/failures';
import { addMs, buildState, codeOf, propose, proposeLink, testKeys } from '../../support/build';
import { digestTypedCode } from '../../../messages/codes';
import { planOf } from '../../support/flow-plan';

const at = '2026-01-01T12:00:00.000Z';
const restoredAt = addMs(at, 60_000);

const assessed = (): TransactionState => ({
  ...buildState(),
  evidence: {} as NonNullable<TransactionState['evidence']>,
});

test('the right code of the backup is not accepted any more, and its attempts still count', () => {
  const initial = assessed();
  const { state, confirmation } = unwrap(addSend(initial, propose(token, initial.id), at));
  const restored = endAfterRestore({ ...state, attemptsUsed: 3 }, restoredAt);
  const digest = digestTypedCode(testKeys, initial.id, token.name, codeOf(token, initial.id, confirmation.id));
  expect(checkCode(restored, token.name, digest, restoredAt)).toMatchObject({
    error: { type: 'TokenClosed', details: { about: { status: 'Expired' } } },
  });
  expect(restored.attemptsUsed).toBe(3);
});

test('a question and a link end, with events for the caller, and nothing is due', () => {
  const initial = assessed();
  const asked = unwrap(addSend(initial, propose(question, initial.id), at)).state;
  const linked = unwrap(createLink(asked, proposeLink('link'), at)).state;
  expect(dueAtOf(linked)).toBeDefined();
  const restored = endAfterRestore(linked, restoredAt);
  expect(restored.confirmations[0]).toMatchObject({ status: 'Expired', expiresAt: restoredAt });
  expect(restored.biometrics?.[0]).toMatchObject({ status: 'Canceled' });
  expect(dueAtOf(restored)).toBeUndefined();
  const types = eventsOf(restored).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['confirmation.expired', 'biometrics.canceled']));
});

test('a flow run is canceled, so it sends no next message', () => {
  const initial = assessed();
  const flow = flows.find(({ name }) => name === 'sms-token');
  const { state } = unwrap(addRun(initial, planOf(flow!, initial.id), at));
  const restored = endAfterRestore(state, restoredAt);
  expect(restored.runs?.[0]).toMatchObject({ status: 'Canceled', endedAt: restoredAt });
  expect(restored.runs?.[0]?.path.at(-1)).toMatchObject({ exit: 'Canceled', reason: 'EndedByOperator' });
});

test('a transaction in which nothing is open does not change', () => {
  const state = assessed();
  expect(endAfterRestore(state, restoredAt)).toBe(state);
  const { state: asked } = unwrap(addSend(state, propose(token, state.id), at));
  const ended = endAfterRestore(asked, restoredAt);
  expect(endAfterRestore(ended, addMs(restoredAt, 1))).toBe(ended);
});

test('a person gets no second message about a decision on images', () => {
  const initial = assessed();
  const { state } = unwrap(createLink(initial, proposeLink('link'), at));
  const decided = {
    ...state,
    biometrics: state.biometrics!.map((link) => ({
      ...link,
      status: 'Approved' as const,
      decision: { status: 'Approved' as const, by: 'client', reason: 'fine', at },
      decisionTexts: { sms: { body: 'done' } },
    })),
  };
  expect(endAfterRestore(decided, restoredAt).biometrics?.[0]).not.toHaveProperty('decisionTexts');
});
