import { deliveryStatusToSend } from '../../../domain/confirmations/delivery';

const [sms, whatsapp] = ['sms', 'whatsapp'].map((channel) => ({ channel, kind: 'secondFactor' })) as [
  { channel: 'sms'; kind: 'secondFactor' },
  { channel: 'whatsapp'; kind: 'secondFactor' },
];

test.each([
  ['the first report', sms, undefined, 'sent', 'sent'],
  ['a report that changes nothing for the person', sms, undefined, 'accepted', undefined],
  ['the status read of an SMS, which changes nothing', sms, 'delivered', 'read', undefined],
  ['the status delivered of a WhatsApp message, which counts as sent', whatsapp, undefined, 'delivered', 'sent'],
  ['a later report with an equal delivery status', whatsapp, 'sent', 'delivered', undefined],
  [
    'the status delivered of a token, which changes nothing',
    { channel: 'sms', kind: 'token' },
    undefined,
    'delivered',
    undefined,
  ],
  ['a token that was not delivered', { channel: 'sms', kind: 'token' }, 'sent', 'failed', 'failed'],
  ['the status read of a link, which counts as sent', { channel: 'whatsapp', kind: 'link' }, undefined, 'read', 'sent'],
] as const)('the delivery status that is sent for a report: %s', (_, message, saved, status, expected) => {
  expect(deliveryStatusToSend(message, saved, status)).toBe(expected);
});
