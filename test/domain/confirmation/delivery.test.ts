import { deliveryStatusToSend, isProviderStatus, replacesProviderStatus } from '../../../domain/confirmation/delivery';

const [sms, whatsapp] = ['sms', 'whatsapp'].map((channel) => ({ channel, kind: 'secondFactor' })) as [
  { channel: 'sms'; kind: 'secondFactor' },
  { channel: 'whatsapp'; kind: 'secondFactor' },
];

test('only words that the provider uses as a status are accepted as provider statuses', () => {
  expect(['read', 'dancing', '', 'toString'].map(isProviderStatus)).toEqual([true, false, false, false]);
});

test.each([
  ['', 'accepted', true],
  ['sent', 'delivered', true],
  ['undelivered', 'delivered', true],
  ['delivered', 'undelivered', false],
  ['delivered', 'sent', false],
  ['sent', 'sent', false],
  ['failed', 'undelivered', false],
])('after the provider status "%s", the status %s is saved: %s', (saved, status, expected) => {
  expect(replacesProviderStatus(saved, status)).toBe(expected);
});

test.each([
  ['the first report', sms, '', 'sent', 'sent'],
  ['a report that changes nothing for the person', sms, '', 'queued', undefined],
  ['the status read of an SMS, which changes nothing', sms, 'delivered', 'read', undefined],
  ['the status delivered of a WhatsApp message, which counts as sent', whatsapp, '', 'delivered', 'sent'],
  ['a later report with an equal delivery status', whatsapp, 'sent', 'delivered', undefined],
  ['a report that is processed again', whatsapp, 'sent', 'sent', 'sent'],
  ['an earlier report with an equal delivery status, processed again', whatsapp, 'delivered', 'sent', 'sent'],
  ['a late report', sms, 'delivered', 'sent', undefined],
  [
    'the status delivered of a token, which changes nothing',
    { channel: 'sms', kind: 'token' },
    '',
    'delivered',
    undefined,
  ],
  ['a token that was not delivered', { channel: 'sms', kind: 'token' }, 'sent', 'undelivered', 'failed'],
  ['the status read of a link, which counts as sent', { channel: 'whatsapp', kind: 'link' }, '', 'read', 'sent'],
] as const)('the delivery status of a provider report: %s', (_, message, saved, status, expected) => {
  expect(deliveryStatusToSend(message, saved, status)).toBe(expected);
});
