import { configureBiometrics } from '../../../api/biometrics/settings';
import { ConfigurationError } from '../../../platform/config';

const configure = (settings: unknown) => configureBiometrics(JSON.stringify(settings));

test('the settings of a tenant override `default`, and `default` overrides the built-in defaults', () => {
  const settingsOf = configure({
    default: { imageDays: 30, channels: ['sms'] },
    acme: { channels: [], linkSeconds: 7_200 },
  });
  expect(settingsOf('acme')).toEqual({ imageDays: 30, channels: [], linkSeconds: 7_200, imageUrlSeconds: 300 });
  expect(settingsOf('anybody')).toEqual({
    imageDays: 30,
    channels: ['sms'],
    linkSeconds: 86_400,
    imageUrlSeconds: 300,
  });
  expect(configure({})('anybody')).toEqual({ imageDays: 90, channels: [], linkSeconds: 86_400, imageUrlSeconds: 300 });
});

test('`facePolicy: {}` gives an empty face policy, and a tenant without the setting `facePolicy` has no face policy', () => {
  expect(configure({ acme: { facePolicy: {} } })('acme').facePolicy).toEqual({});
  expect(configure({ acme: {} })('acme').facePolicy).toBeUndefined();
});

test.each([
  ['invalid JSON', '{', /BIOMETRICS_SETTINGS/],
  ['an invalid tenant', '{"A B":{}}', /A B/],
  ['an unknown setting', '{"acme":{"linkMinutes":5}}', /linkMinutes/],
  ['links that expire in less than an hour', '{"acme":{"linkSeconds":60}}', /acme.linkSeconds/],
  ['image URLs that are valid for more than an hour', '{"acme":{"imageUrlSeconds":3601}}', /acme.imageUrlSeconds/],
  ['a channel twice', '{"acme":{"channels":["sms","sms"]}}', /each channel once/],
  [
    'a threshold that approves everything',
    '{"acme":{"facePolicy":{"approve":{"similarity":0,"liveness":0.9}}}}',
    /similarity/,
  ],
  [
    'a threshold that is not a number',
    '{"acme":{"facePolicy":{"approve":{"similarity":null,"liveness":0.9}}}}',
    /similarity/,
  ],
  [
    'a face policy without a threshold for liveness',
    '{"acme":{"facePolicy":{"approve":{"similarity":0.9}}}}',
    /liveness/,
  ],
  [
    'images that are erased before their link expires',
    '{"acme":{"imageDays":2,"linkSeconds":604800}}',
    /acme: imageDays/,
  ],
])('BIOMETRICS_SETTINGS with %s is rejected, and the error names the mistake', (_, json, pattern) => {
  expect(() => configureBiometrics(json)).toThrow(ConfigurationError);
  expect(() => configureBiometrics(json)).toThrow(pattern);
});
