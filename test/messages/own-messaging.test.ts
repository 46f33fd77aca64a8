import { generateKeyPairSync } from 'node:crypto';
import { mask, ownMessagingSchema, withGatewayNames, withoutSecrets } from '../../messages/own-messaging';

const schema = (isLocal = false) => ownMessagingSchema({ isLocal });
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const dkim = { domain: 'acme.example', selector: 'mail1', privateKey };
const twilio = { kind: 'twilio', accountSid: 'AC0', authToken: '0123456789abcdef0123456789abcdef' };
const vonage = { kind: 'gateway', gateway: 'vonage-sms', values: { apiKey: 'key-1', apiSecret: 'secret-1' } };
const mail = { kind: 'smtp', url: 'smtps://user:word-1@mail.example', dkim };
const withMail = (settings: object, sender = 'Acme <no-reply@acme.example>') => ({
  providers: { mail: settings },
  channels: { email: { providers: [{ provider: 'mail', sender }] } },
});
const withProvider = (settings: object) => ({ providers: { one: settings }, channels: {} });

test('secrets are masked, and what is saved can be read again', () => {
  const messaging = schema().parse({ ...withMail(mail), providers: { mail, vonage, twilio } });
  const shown = JSON.stringify(withoutSecrets(messaging));
  expect(shown).not.toMatch(/0123456789abcdef|key-1|secret-1|word-1|PRIVATE KEY/);
  expect(shown).toContain('"gateway":"vonage-sms"');
  expect(schema().parse(withGatewayNames(messaging))).toEqual(messaging);
});

test.each<[string, object, string]>([
  ['a variable', withProvider({ ...twilio, authToken: '$SERVICE_KEY' }), 'has the name of a variable'],
  ['a mask', withProvider({ ...twilio, authToken: mask }), 'has the mask of a secret'],
  ['a mail server of the inside', withProvider({ kind: 'smtp', url: 'smtp://10.0.0.1' }), 'must have a public address'],
  [
    'a mail server on the same machine',
    withProvider({ kind: 'smtp', url: 'smtp://localhost' }),
    'must have a public address',
  ],
  [
    'a gateway of the inside',
    withProvider({ ...vonage, values: { ...vonage.values, baseUrl: 'https://169.254.169.254' } }),
    'must have a public address',
  ],
  [
    'a gateway without TLS',
    withProvider({ ...vonage, values: { ...vonage.values, baseUrl: 'http://a.example' } }),
    'must be https',
  ],
  ['another API of Twilio', withProvider({ ...twilio, baseUrl: 'https://a.example' }), 'baseUrl: must be absent'],
  [
    'a sender with another domain than the DKIM key',
    withMail(mail, 'a@other.example'),
    'must have the domain acme.example of the DKIM key',
  ],
  ['a sender whose domain only ends like it', withMail(mail, 'a@notacme.example'), 'must have the domain acme.example'],
  [
    'a DKIM key that is none',
    withMail({ ...mail, dkim: { ...dkim, privateKey: 'x' } }),
    'must be an RSA or Ed25519 key',
  ],
  [
    'an unknown provider',
    { providers: {}, channels: { sms: { providers: [{ provider: 'x', sender: '+1' }] } } },
    'must be a provider',
  ],
  ['a rule for slow providers', { providers: {}, channels: { sms: { slow: {}, providers: [] } } }, 'slow'],
  [
    'too many providers',
    { providers: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, twilio])), channels: {} },
    'must have at most 20 providers',
  ],
])('%s is an issue', (_, json, issue) => {
  const { error } = schema().safeParse(json);
  expect(JSON.stringify(error?.issues)).toContain(issue);
});

test('a sender below the domain of the DKIM key is aligned, and local stacks have private addresses', () => {
  expect(schema().safeParse(withMail(mail, 'a@news.acme.example')).success).toBe(true);
  expect(schema(true).safeParse(withProvider({ kind: 'smtp', url: 'smtp://localhost' })).success).toBe(true);
});
