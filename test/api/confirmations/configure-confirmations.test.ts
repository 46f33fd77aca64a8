import { configureConfirmations } from '../../../api/confirmations/configure-confirmations';
import { ConfigurationError } from '../../../platform/config';

test('without FLOW_SETTINGS, confirmations have the settings of their flow files', () => {
  expect(configureConfirmations('{}').get('sms-token')).toMatchObject({
    expiresAfterMs: 300_000,
    sendLimit: 3,
    attemptLimit: 5,
  });
});

test('FLOW_SETTINGS changes only the settings that it names, but a short lifetime also shortens the pause between messages', () => {
  const settings = configureConfirmations('{"sms-token":{"expiresAfterSeconds":20,"resend":"rotate"}}').get(
    'sms-token',
  );
  expect(settings).toMatchObject({ expiresAfterMs: 20_000, resendAfterMs: 20_000, resend: 'rotate', sendLimit: 3 });
});

test.each([
  ['invalid JSON', 'sms-token=3'],
  ['unknown confirmation settings', '{"fax-token":{}}'],
  ['an unknown field', '{"sms-token":{"colour":1}}'],
  ['a lifetime above the maximum', '{"sms-token":{"expiresAfterSeconds":601}}'],
  ['more attempts than the maximum', '{"sms-token":{"attemptLimit":11}}'],
])('FLOW_SETTINGS with %s is rejected, and the error names FLOW_SETTINGS', (_, json) => {
  expect(() => configureConfirmations(json)).toThrow(ConfigurationError);
  expect(() => configureConfirmations(json)).toThrow(/FLOW_SETTINGS/);
});
