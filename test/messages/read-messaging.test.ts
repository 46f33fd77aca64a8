import { readFileSync } from 'node:fs';
import { readMessaging, readProviders } from '../../messages/read-messaging';

const twilio = { kind: 'twilio', accountSid: 'AC0', authToken: '0123456789abcdef0123456789abcdef' };
const mail = { kind: 'smtp', url: 'smtp://mail.example' };
const file = {
  providers: { twilio, mail },
  channels: {
    sms: { providers: [{ provider: 'twilio', sender: '+15005550006' }] },
    whatsapp: { providers: [{ provider: 'twilio', sender: '+15005550006' }] },
    email: { providers: [{ provider: 'mail', sender: 'Acme <a@acme.example>' }] },
  },
};
const settings = { SMTP_FROM: 'a@acme.example', COUNTERSIGN_ENV: 'local' } as const;
const read = (messaging: unknown, name: 'local' | 'production' = 'local') =>
  readMessaging({ ...settings, COUNTERSIGN_ENV: name, MESSAGING: JSON.stringify(messaging) });

test('a list of providers gets its defaults', () => {
  expect(read(file).channels.sms).toEqual({
    whenUnknown: 'once',
    slow: { seconds: 60, share: 0.3, messages: 20, minutes: 10 },
    providers: [{ provider: 'twilio', sender: '+15005550006', order: 1, weight: 1 }],
  });
});

test('the settings TWILIO_… and SMTP_… define one provider for each channel', () => {
  const messaging = readMessaging({
    ...settings,
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'secret',
    TWILIO_SMS_FROM: '+1',
    TWILIO_WHATSAPP_FROM: '+2',
    SMTP_URL: 'smtp://mail.example',
  });
  expect(Object.keys(messaging.providers)).toEqual(['twilio', 'smtp']);
  const senders = Object.values(messaging.channels).map(({ providers: [listed] }) => [
    listed?.provider,
    listed?.sender,
  ]);
  expect(senders).toEqual([
    ['twilio', '+1'],
    ['twilio', '+2'],
    ['smtp', 'a@acme.example'],
    // +1 is no phone number, so it cannot call.
    [undefined, undefined],
  ]);
});

test.each([
  ['the number for calls', { TWILIO_SMS_FROM: '+15005550006', TWILIO_VOICE_FROM: '+15005550007' }, '+15005550007'],
  ['the number for SMS, without a number for calls', { TWILIO_SMS_FROM: '+15005550006' }, '+15005550006'],
  ['nobody, if a messaging service sends SMS', { TWILIO_SMS_FROM: `MG${'1'.repeat(32)}` }, undefined],
])('calls come from %s', (_, senders, expected) => {
  const account = { TWILIO_ACCOUNT_SID: 'AC0', TWILIO_AUTH_TOKEN: 'secret', SMTP_URL: 'smtp://mail.example' };
  const { channels } = readMessaging({ ...settings, ...account, TWILIO_WHATSAPP_FROM: '+2', ...senders });
  expect(channels.voice.providers.map(({ sender }) => sender)).toEqual(expected === undefined ? [] : [expected]);
});

test('a file without the channel voice is valid, and a sender of calls must be a phone number', () => {
  expect(read(file).channels.voice).toMatchObject({ whenUnknown: 'once', providers: [] });
  const withVoice = (sender: string) => ({
    ...file,
    channels: { ...file.channels, voice: { providers: [{ provider: 'twilio', sender }] } },
  });
  expect(read(withVoice('+15005550006')).channels.voice.providers).toHaveLength(1);
  expect(() => read(withVoice(`MG${'1'.repeat(32)}`))).toThrow(
    'channels.voice.providers.0.sender: must be a phone number such as +15005550006',
  );
});

test('the API needs only the account', () => {
  const account = { TWILIO_ACCOUNT_SID: 'AC0', TWILIO_AUTH_TOKEN: 'secret', COUNTERSIGN_ENV: 'local' } as const;
  expect(readProviders(account)).toMatchObject({ twilio: { authToken: 'secret' } });
  const withFile = { COUNTERSIGN_ENV: 'local', MESSAGING: JSON.stringify(file) } as const;
  expect(Object.keys(readProviders(withFile))).toEqual(['twilio', 'mail']);
});

const withSms = (...providers: object[]) => ({ ...file, channels: { ...file.channels, sms: { providers } } });
const sender = '+15005550006';

test.each<[string, unknown, string]>([
  [
    'an unknown provider',
    withSms({ provider: 'other', sender }),
    'sms.providers.0.provider: other must be a provider of this file: twilio, mail',
  ],
  [
    'a provider of another channel',
    withSms({ provider: 'mail', sender }),
    'mail is of the kind smtp, which cannot send on this channel',
  ],
  [
    'a provider twice',
    withSms({ provider: 'twilio', sender }, { provider: 'twilio', sender }),
    'sms.providers.1.provider: twilio is listed twice',
  ],
  ['no provider', withSms(), 'channels.sms.providers: '],
  ['an unknown field', withSms({ provider: 'twilio', sender, weigth: 2 }), 'weigth'],
  ['a country by name', withSms({ provider: 'twilio', sender, countries: ['BR'] }), 'must be a dial code such as 55'],
  ['a limit of no messages', withSms({ provider: 'twilio', sender, perSecond: 0 }), 'sms.providers.0.perSecond: '],
  [
    'a price without a currency',
    withSms({ provider: 'twilio', sender, cost: { currency: '$', perSegment: { default: 1 } } }),
    'cost.currency: must be a currency code such as USD',
  ],
  ['a missing channel', { ...file, channels: { sms: file.channels.sms } }, 'channels.email: '],
  ['a wrong kind', { ...file, providers: { twilio: { kind: 'pigeon' } } }, 'providers.twilio.kind: '],
])('%s is an issue', (_, messaging, issue) => {
  expect(() => read(messaging)).toThrow(issue);
});

test('in production, a token must be long, and an API of Twilio must have TLS', () => {
  const unsafe = {
    ...file,
    providers: { mail, twilio: { ...twilio, authToken: 'short', baseUrl: 'http://sms.example' } },
  };
  expect(() => read(unsafe, 'production')).toThrow(
    /providers\.twilio: authToken: must have at least 32 characters[\s\S]*providers\.twilio: baseUrl: must be https/,
  );
  expect(read(unsafe)).toBeDefined();
  expect(read(file, 'production')).toBeDefined();
});

describe('a gateway', () => {
  const withGateway = (gateway: unknown, values: object) => ({
    ...withSms({ provider: 'sms', sender: 'Acme' }),
    providers: { ...file.providers, sms: { kind: 'gateway', gateway, values } },
  });
  const [, example = ''] =
    /<!-- gateway example -->\n```json\n([\s\S]*?)```/.exec(readFileSync('docs/gateways.md', 'utf8')) ?? [];

  test('can be one of the service, or the example of the guide, which has 40 lines at most', () => {
    expect(
      read(withGateway('infobip-sms', { baseUrl: 'https://x.example', apiKey: 'k' })).providers['sms'],
    ).toBeDefined();
    expect(read(withGateway(JSON.parse(example), { token: 't' })).providers['sms']).toBeDefined();
    expect(example.trim().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('has the defaults of its declaration, and in production TLS', () => {
    const values = { apiKey: 'k', apiSecret: 's' };
    const { sms } = read(withGateway('vonage-sms', values), 'production').providers;
    expect(sms).toMatchObject({ values: { ...values, baseUrl: 'https://rest.nexmo.com' } });
    const unsafe = withGateway('vonage-sms', { ...values, baseUrl: 'http://sms.example' });
    expect(read(unsafe).providers['sms']).toBeDefined();
    expect(() => read(unsafe, 'production')).toThrow('providers.sms: http://sms.example/sms/json: must be https');
    expect(read(withGateway('vonage-sms', { ...values, baseUrl: 'http://127.0.0.1:9' }), 'production')).toBeDefined();
  });

  test.each<[string, unknown, object, string]>([
    [
      'an address without a scheme',
      'infobip-sms',
      { baseUrl: 'x.api.infobip.com', apiKey: 'k' },
      'is no http or https address',
    ],
    ['an unknown name', 'pigeon-sms', {}, 'providers.sms'],
    ['a missing value', 'vonage-sms', { apiKey: 'k' }, 'providers.sms: values.apiSecret is required'],
    [
      'an unknown value',
      'vonage-sms',
      { apiKey: 'k', apiSecret: 's', key: 'x' },
      'values.key is no value of the gateway',
    ],
    [
      'an unknown placeholder',
      JSON.parse(example.replace('{{toDigits}}', '{{phone}}')),
      { token: 't' },
      '{{phone}} is neither a value of the gateway nor of a message',
    ],
  ])('%s is an issue', (_, gateway, values, issue) => {
    expect(() => read(withGateway(gateway, values))).toThrow(issue);
  });
});
