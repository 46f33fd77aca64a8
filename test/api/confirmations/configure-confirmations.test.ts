import { configureConfirmations } from '../../../api/confirmations/configure-confirmations';
import { ConfigurationError } from '../../../platform/config';

test('without FLOW_SETTINGS, confirmations have the settings of their files', () => {
  expect(configureConfirmations('{}').get('sms-token')).toMatchObject({
    expiresAfterMs: 300_000,
    sendLimit: 3,
    attemptLimit: 5,
  });
});

test('settings change only the numbers that they name', () => {
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
])('rejects %s at start, with the name of the setting', (_, json) => {
  expect(() => configureConfirmations(json)).toThrow(ConfigurationError);
  expect(() => configureConfirmations(json)).toThrow(/FLOW_SETTINGS/);
});
