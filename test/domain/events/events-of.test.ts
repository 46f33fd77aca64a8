import { checkCode } from '../../../domain/confirmations/check-code';
import { createLink } from '../../../domain/biometrics/link';
import { withoutImages } from '../../../domain/biometrics/review';
import { applyDeliveryStatus, expireConfirmations } from '../../../domain/confirmations/delivery';
import { actorOf, eventsOf, notifiedKey } from '../../../domain/events/events-of';
import type { FlowRun } from '../../../domain/flows/run';
import { addRun } from '../../../domain/flows/runs';
import { withAssessment } from '../../../domain/transactions/outcome';
import { applyReply } from '../../../domain/confirmations/replies';
import { addSend, revertSend } from '../../../domain/confirmations/send';
import { defaultPolicy } from '../../../domain/scoring/policy';
import type { TransactionState } from '../../../domain/transactions/state';
import type { ConfirmationSettings } from '../../../domain/confirmations/settings';
import { smsSecondFactor, smsToken, whatsappSecondFactor } from '../../../flows/confirmations';
import { addMs, buildState, person, propose } from '../../support/build';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { planOf } from '../../support/flow-plan';

const start = '2026-01-01T12:00:00.000Z';
const at = (seconds: number) => addMs(start, seconds * 1_000);
/** The state as the next version, changed at this time. */
const changed = (state: TransactionState, seconds: number): TransactionState => ({
  ...state,
  version: state.version + 1,
  changedAt: at(seconds),
});

function request(
  state: TransactionState,
  settings: ConfirmationSettings,
  seconds: number,
  id = `${settings.name}-1`,
): TransactionState {
  const result = addSend(state, propose(settings, state.id, id), at(seconds));
  if ('error' in result) throw new Error(result.error.type);
  return changed(result.state, seconds);
}

/** Asks the person, who denies. */
function deny(state: TransactionState, id: string, seconds: number): TransactionState {
  const asked = deliver(request(state, whatsappSecondFactor, seconds, id), 'read', seconds);
  return changed(applyReply(asked, id, { option: 2 }, at(seconds)) ?? asked, seconds);
}

const sendIdOf = (state: TransactionState) => state.confirmations.at(-1)?.sends.at(-1)?.id ?? '';

function deliver(state: TransactionState, status: 'accepted' | 'delivered' | 'read' | 'failed', seconds: number) {
  const delivery = status === 'failed' ? { status, failureReason: 'Undelivered 30005' } : { status };
  const next = applyDeliveryStatus(state, sendIdOf(state), delivery, at(seconds));
  if (!next) throw new Error('The status changes nothing.');
  return changed(next, seconds);
}

function answer(state: TransactionState, isRight: boolean, seconds: number): TransactionState {
  const digest = isRight ? (state.confirmations.at(-1)?.digest ?? '') : 'wrong';
  const result = checkCode(state, 'sms-token', digest, at(seconds));
  if ('error' in result) throw new Error(result.error.type);
  return changed(result.outcomes.allowed.state, seconds);
}

const policy = defaultPolicy;
const evidence = { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } } as const;
const assessed = withAssessment(buildState({}, start), { evidence, policy });

/** The events that only `after` has. Without `before`, all its events. */
function eventsBetween(before: TransactionState | undefined, after: TransactionState) {
  const known = new Set(before ? eventsOf(before).map(({ key }) => key) : []);
  return eventsOf(after).filter(({ key }) => !known.has(key));
}

const typesBetween = (before: TransactionState | undefined, after: TransactionState) =>
  eventsBetween(before, after).map(({ type }) => type);

test('the event of a first score has the time of the assessment, but is not newer than the reply that changed the score', () => {
  const created = buildState({}, start);
  const late = changed(withAssessment(created, { evidence, policy }, at(3)), 3);
  expect(eventsBetween(created, late)).toEqual([expect.objectContaining({ type: 'score.changed', at: at(3) })]);
  const replied = answer(request(created, smsToken, 1), true, 2);
  const types = eventsBetween(replied, changed(withAssessment(replied, { evidence, policy }, at(3)), 3));
  expect(types.map((event) => [event.data['reason'], event.at])).toEqual([
    ['Initial', at(2)],
    ['PhoneChecked', at(2)],
  ]);
});

test('there is an event when a code is sent, when it is delivered, and when a wrong code or the right code is entered', () => {
  const states = [assessed];
  const add = (next: (state: TransactionState) => TransactionState) => states.push(next(states.at(-1) ?? assessed));
  add((state) => request(state, smsToken, 1));
  add((state) => deliver(state, 'accepted', 2));
  add((state) => deliver(state, 'delivered', 3));
  add((state) => answer(state, false, 4));
  add((state) => answer(state, true, 5));
  expect(states.map((state, index) => typesBetween(states[index - 1], state))).toEqual([
    ['transaction.created', 'score.changed'],
    [],
    ['confirmation.sent'],
    ['confirmation.delivered'],
    ['confirmation.attempted'],
    ['confirmation.succeeded', 'score.changed'],
  ]);
  const [last] = states.slice(-1);
  expect(eventsOf(last ?? assessed).find(({ type }) => type === 'confirmation.succeeded')).toEqual({
    key: 'confirmation.succeeded/sms-token-1',
    type: 'confirmation.succeeded',
    at: at(5),
    data: { confirmationId: 'sms-token-1', name: 'sms-token', channel: 'sms', kind: 'token' },
  });
});

test('the last wrong attempt blocks the code', () => {
  const sent = deliver(request(assessed, smsToken, 1), 'accepted', 2);
  const blocked = [3, 4, 5, 6, 7].reduce((state, seconds) => answer(state, false, seconds), sent);
  expect(typesBetween(sent, blocked)).toEqual([
    ...Array.from({ length: 5 }, () => 'confirmation.attempted'),
    'confirmation.blocked',
  ]);
});

/** The attempts of which callers get an event: the confirmation, and the number of the attempt. */
const attemptsIn = (events: ReturnType<typeof eventsOf>) =>
  events
    .filter(({ type }) => type === 'confirmation.attempted')
    .map(({ data }) => [data['confirmationId'], data['attempt']]);

/** A resend has a new code. */
const rotatingToken: ConfirmationSettings = { ...smsToken, resend: 'rotate' };

test('a code that replaces another has only the attempts that were made at it', () => {
  const first = deliver(request(assessed, rotatingToken, 1), 'accepted', 2);
  const attempted = [3, 4].reduce((state, seconds) => answer(state, false, seconds), first);
  const replaced = request(attempted, rotatingToken, 100, 'second');
  expect(attemptsIn(eventsOf(replaced))).toEqual([
    ['sms-token-1', 1],
    ['sms-token-1', 2],
  ]);
  const sent = deliver(replaced, 'accepted', 101);
  expect(attemptsIn(eventsBetween(sent, answer(sent, false, 102)))).toEqual([['second', 1]]);
  const confirmed = typesBetween(sent, answer(sent, true, 102));
  expect(confirmed).toEqual(['confirmation.succeeded', 'score.changed']);
});

test('an attempt at a code whose message is rejected is no attempt at the older code', () => {
  const first = deliver(request(assessed, rotatingToken, 1), 'accepted', 2);
  const attempted = answer(first, false, 3);
  const replaced = answer(request(attempted, rotatingToken, 100, 'second'), false, 101);
  const restored = changed(revertSend(replaced, sendIdOf(replaced), 'DestinationRefused 21211', at(102)), 102);
  expect(restored.confirmations).toMatchObject([{ id: 'sms-token-1', status: 'Waiting', attemptsUsed: 2 }]);
  expect(attemptsIn(eventsOf(restored))).toEqual([['sms-token-1', 1]]);
  expect(attemptsIn(eventsBetween(restored, answer(restored, false, 103)))).toEqual([['sms-token-1', 2]]);
});

test.each([
  [1, ['confirmation.replied', 'confirmation.succeeded', 'score.changed']],
  [2, ['confirmation.replied', 'confirmation.denied', 'score.changed']],
])('the reply with option %s causes the events %j', (option, types) => {
  const sent = deliver(request(assessed, whatsappSecondFactor, 1), 'read', 2);
  expect(typesBetween(assessed, sent)).toEqual(['confirmation.sent', 'confirmation.delivered', 'confirmation.read']);
  const replied = applyReply(sent, 'whatsapp-2fa-1', { option }, at(3));
  expect(typesBetween(sent, changed(replied ?? sent, 3)).toSorted()).toEqual(types.toSorted());
});

test('a confirmation that expires, fails or is rejected has an event with the reason', () => {
  const sent = deliver(request(assessed, smsSecondFactor, 1), 'accepted', 2);
  const expiresAt = sent.confirmations.at(-1)?.expiresAt ?? '';
  const [expired] = eventsBetween(sent, { ...expireConfirmations(sent, expiresAt), changedAt: at(9_999) });
  expect(expired).toMatchObject({ type: 'confirmation.expired', at: expiresAt });
  const failed = eventsBetween(sent, deliver(sent, 'failed', 3));
  expect(failed.map(({ type, data }) => [type, data['reason']])).toEqual([
    ['confirmation.undelivered', 'Undelivered 30005'],
    ['confirmation.failed', undefined],
  ]);
  const requested = request(assessed, smsToken, 1);
  const [rejected] = eventsBetween(
    requested,
    revertSend(requested, sendIdOf(requested), 'DestinationRefused 21211', at(2)),
  );
  expect(rejected).toMatchObject({
    type: 'confirmation.rejected',
    at: at(2),
    data: { name: 'sms-token', reason: 'DestinationRefused 21211' },
  });
});

test('eventsOf returns an event for each notify step that a running flow run entered, and none for an ended flow run', () => {
  const plan = planOf(flowWithEveryKind, assessed.id);
  const path = ['code', 'tell'].map((step, index) => ({ step, enteredAt: at(index) }));
  const run: FlowRun = { id: 'r', flow: 'every-kind', version: 1, status: 'Running', startedAt: at(0), path, plan };
  const notified = (one: FlowRun) =>
    eventsOf({ ...assessed, runs: [one] }).filter(({ type }) => type === 'flow_run.notified');
  expect(notified(run)).toEqual([
    {
      key: notifiedKey('r', 2),
      type: 'flow_run.notified',
      at: at(1),
      data: { runId: 'r', flow: 'every-kind', version: 1, step: 'tell', event: 'step-up.started' },
    },
  ]);
  const { plan: _plan, ...ended } = run;
  expect(notified({ ...ended, status: 'Completed' })).toEqual([]);
});

test('events with the same time are in the order in which they caused each other', () => {
  const valid = answer(request(assessed, smsToken, 1, 'first'), true, 2);
  const asked = request(valid, whatsappSecondFactor, 2, 'second');
  const sent = changed(applyDeliveryStatus(asked, sendIdOf(asked), { status: 'accepted' }, at(2)) ?? asked, 2);
  const path = ['code', 'ask'].map((step) => ({ step, enteredAt: at(2) }));
  const run: FlowRun = { id: 'r', flow: 'f', version: 1, status: 'Completed', startedAt: at(2), endedAt: at(2), path };
  const types = eventsOf({ ...sent, runs: [run] })
    .filter((event) => event.at === at(2))
    .map(({ type }) => type);
  expect(types).toEqual([
    'flow_run.started',
    'confirmation.succeeded',
    'score.changed',
    'flow_run.step_entered',
    'flow_run.step_entered',
    'confirmation.sent',
    'flow_run.finished',
  ]);
});

/** The same state, as if everything had happened some milliseconds later. */
const later = (state: TransactionState): TransactionState =>
  JSON.parse(JSON.stringify(state), (_name, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? addMs(value, 7) : value,
  );

test('if a change is made again at another time, its event has the same key', () => {
  const requested = request(assessed, smsToken, 1, 'rejected');
  const rejected = changed(revertSend(requested, sendIdOf(requested), 'DestinationRefused 21211', at(2)), 2);
  const answered = answer(answer(deliver(request(rejected, smsToken, 3), 'delivered', 4), false, 5), true, 6);
  const asked = deliver(request(answered, whatsappSecondFactor, 7), 'read', 8);
  const denied = changed(applyReply(asked, 'whatsapp-2fa-1', { option: 2 }, at(9)) ?? asked, 9);
  const linked = createLink(
    denied,
    {
      ...{ biometricsId: 'link', tokenHash: 'hash', expiresAfterMs: 60_000, language: 'pt-BR', channels: [] },
      ...{ messages: {}, allowedDialCodes: ['55'], imageDays: 90 },
    },
    at(10),
  );
  if ('error' in linked) throw new Error(linked.error.type);
  const erased = changed(withoutImages(linked.state, at(11)) ?? linked.state, 11);
  const started = addRun(assessed, planOf(flowWithEveryKind, assessed.id), at(1));
  if ('error' in started) throw new Error(started.error.type);
  const state = { ...erased, runs: [started.run] };
  const types = new Set(eventsOf(state).map(({ type }) => type));
  for (const type of ['score.changed', 'confirmation.rejected', 'biometrics.erased', 'flow_run.step_entered'] as const)
    expect(types).toContain(type);
  expect(eventsBetween(state, later(state))).toEqual([]);
});

test('scores with the same reason have an event each, also if their values are equal', () => {
  const { scores } = deny(deny(assessed, 'first', 1), 'second', 100);
  expect(scores.map(({ reason }) => reason)).toEqual(['Initial', 'Denied', 'Denied']);
  const events = eventsOf({ ...assessed, scores }).filter(({ type }) => type === 'score.changed');
  expect(new Set(events.map(({ key }) => key)).size).toBe(3);
});

test('scores and rejections of earlier versions keep the keys with which their events were saved', () => {
  const scores = [{ value: 50, reason: 'Initial', createdAt: at(0) } as const];
  const rejectedSends = [{ origin: 'sms-token', failureReason: 'ProviderRefused', at: at(1) }];
  const keys = eventsOf({ ...assessed, scores, rejectedSends }).map(({ key }) => key);
  expect(keys).toEqual([
    'transaction.created',
    `score.changed/${at(0)}/Initial/50`,
    `confirmation.rejected/sms-token/${at(1)}`,
  ]);
});

test('events have no personal data', () => {
  const sent = deliver(request(assessed, smsToken, 1), 'delivered', 2);
  const text = JSON.stringify(eventsOf(answer(sent, true, 3)));
  for (const value of [person.document, person.name, person.email, person.phone?.number])
    expect(text).not.toContain(String(value));
});

test.each([
  ['confirmation.rejected', { reason: 'DestinationDailyLimitReached' }, 'service'],
  ['confirmation.rejected', { reason: 'DestinationRefused 21211' }, 'provider'],
  ['biometrics.decided', { by: 'policy' }, 'service'],
  ['biometrics.decided', { by: 'client-1' }, 'reviewer'],
  ['flow_run.finished', { outcome: 'Canceled' }, undefined],
  ['flow_run.finished', { outcome: 'Confirmed' }, 'service'],
  ['biometrics.erased', {}, undefined],
] as const)('the actor of %s with %j is %s', (type, data, actor) => {
  expect(actorOf({ type, data })).toBe(actor);
});
