import { eventsOf } from '../../../domain/events/events-of';
import { measureOf, measuresOf } from '../../../domain/events/measures';
import type { TransactionEvent } from '../../../domain/events/event';
import { addSend } from '../../../domain/confirmations/send';
import { applyDeliveryStatus } from '../../../domain/confirmations/delivery';
import { smsToken } from '../../../flows/confirmations';
import { buildState, person, propose } from '../../support/build';

const at = '2026-01-01T12:00:00.000Z';
const event = (type: TransactionEvent['type'], data: TransactionEvent['data']): TransactionEvent => ({
  ...{ key: `${type}/1`, type, at, data },
});

test.each([
  [
    event('confirmation.sent', {
      confirmationId: 'c',
      name: 'sign-up/code',
      channel: 'sms',
      kind: 'token',
      sendId: 's',
    }),
    { type: 'confirmation.sent', channel: 'sms', kind: 'token', country: '55' },
  ],
  [
    event('confirmation.succeeded', { confirmationId: 'c', name: 'email-token', channel: 'email', kind: 'token' }),
    { type: 'confirmation.succeeded', channel: 'email', kind: 'token' },
  ],
  [
    event('confirmation.rejected', { name: 'sms-token', reason: 'DestinationRefused 21211' }),
    { type: 'confirmation.rejected', reason: 'DestinationRefused' },
  ],
  [
    event('flow_run.finished', { runId: 'r', flow: 'sign-up', version: 3, outcome: 'Confirmed' }),
    { type: 'flow_run.finished' },
  ],
  [event('score.changed', { value: 30, reason: 'Initial' }), { type: 'score.changed', reason: 'Initial' }],
])('an event is measured by values that are few, and never by ids: %j', (one, measure) => {
  expect(measureOf(one, { input: person })).toEqual(measure);
});

test('only the events with these keys are measured', () => {
  const state = buildState();
  const requested = addSend(state, propose(smsToken, state.id, 'c'), at);
  if ('error' in requested) throw new Error(requested.error.type);
  const sendId = requested.state.confirmations[0]?.sends[0]?.id ?? '';
  const sent = applyDeliveryStatus(requested.state, sendId, { status: 'accepted' }, at) ?? requested.state;
  expect(measuresOf(sent, [`confirmation.sent/${sendId}`])).toEqual([
    { type: 'confirmation.sent', channel: 'sms', kind: 'token', country: '55' },
  ]);
  expect(measuresOf(sent, [])).toEqual([]);
  expect(eventsOf(sent).length).toBeGreaterThan(1);
});
