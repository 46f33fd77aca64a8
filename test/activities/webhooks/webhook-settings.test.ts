import { parseWebhooks } from '../../../activities/webhooks/webhook-settings';
import { ConfigurationError } from '../../../platform/config';
import { sampleSecret, secretFilledWith } from './webhook-world';

const url = 'https://hooks.example.com/countersign?key=1';
const read = (webhooks: unknown, environment: 'production' | 'local' = 'production') =>
  parseWebhooks(typeof webhooks === 'string' ? webhooks : JSON.stringify(webhooks), environment);

it('the setting WEBHOOKS gives a tenant its own webhook, the default, or none', () => {
  const webhookOf = read({
    acme: { url, secret: sampleSecret },
    default: { url: 'https://hooks.example.org', secret: secretFilledWith(2) },
  });
  expect(webhookOf('acme')).toMatchObject({ url, keys: [Buffer.alloc(32, 1)] });
  expect(webhookOf('other')).toMatchObject({ url: 'https://hooks.example.org', keys: [Buffer.alloc(32, 2)] });
  expect(read('{}')('acme')).toBeUndefined();
});

it('the setting WEBHOOKS accepts one or two secrets, of 24 to 64 bytes', () => {
  const secretOfLength = (bytes: number) => `whsec_${Buffer.alloc(bytes, 3).toString('base64')}`;
  const webhookOf = read({ acme: { url, secret: [secretOfLength(24), secretOfLength(64)] } });
  expect(webhookOf('acme')?.keys.map(({ length }) => length)).toEqual([24, 64]);
});

it.each(['http://127.0.0.1:3001/webhooks/local', 'http://api:3001', 'https://10.0.0.1'])(
  'the setting WEBHOOKS accepts %s only on local stacks',
  (address) => {
    expect(read({ acme: { url: address, secret: sampleSecret } }, 'local')('acme')?.url).toBe(address);
    expect(() => read({ acme: { url: address, secret: sampleSecret } })).toThrow(
      /WEBHOOKS: .* except with COUNTERSIGN_ENV=local[^]*acme\.url/,
    );
  },
);

it.each<[string, unknown, RegExp]>([
  ['invalid JSON', `{"acme":{"url":"${url}","secret":"${sampleSecret}"`, /must be JSON/],
  ['a list', [], /expected record/],
  ['an invalid tenant name', { Acme: { url, secret: sampleSecret } }, /Invalid key[^]*Acme/],
  ['a missing secret', { acme: { url } }, /acme\.secret/],
  ['a missing address', { acme: { secret: sampleSecret } }, /acme\.url/],
  [
    'an address without a scheme',
    { acme: { url: 'hooks.example.com', secret: sampleSecret } },
    /must be a URL such as https/,
  ],
  ['another scheme', { acme: { url: 'ftp://hooks.example.com', secret: sampleSecret } }, /must be a URL such as https/],
  [
    'credentials',
    { acme: { url: 'https://me:word@hooks.example.com', secret: sampleSecret } },
    /must have no user and password/,
  ],
  ['a fragment', { acme: { url: 'https://hooks.example.com/#a', secret: sampleSecret } }, /must have no fragment/],
  [
    'the metadata address of a cloud',
    { acme: { url: 'https://169.254.169.254/', secret: sampleSecret } },
    /must not be a loopback, private or reserved/,
  ],
  ['a short secret', { acme: { url, secret: 'whsec_c2hvcnQ=' } }, /24 to 64 random bytes in base64/],
  ['a secret without its prefix', { acme: { url, secret: 'of-acme' } }, /must be whsec_ and 24 to 64/],
  [
    'a secret that is not base64',
    { acme: { url, secret: `${sampleSecret.slice(0, 20)}!${sampleSecret.slice(20)}` } },
    /must be whsec_ and 24 to 64/,
  ],
  ['an empty list of secrets', { acme: { url, secret: [] } }, /acme\.secret/],
  ['three secrets', { acme: { url, secret: [sampleSecret, sampleSecret, sampleSecret] } }, /acme\.secret/],
  ['an empty list of events', { acme: { url, secret: sampleSecret, events: [] } }, /acme\.events/],
  [
    'an invalid pattern',
    { acme: { url, secret: sampleSecret, events: ['step*'] } },
    /must be a type of event such as confirmation\.sent/,
  ],
  ['an unknown field', { acme: { url, secret: sampleSecret, event: ['*'] } }, /event/],
])('%s is rejected with its path, and without quoting a secret', (_, webhooks, message) => {
  expect(() => read(webhooks)).toThrow(ConfigurationError);
  expect(() => read(webhooks)).toThrow(/^WEBHOOKS: /);
  expect(() => read(webhooks)).toThrow(message);
  expect(() => read(webhooks)).not.toThrow(/AQEBAQ|of-acme|c2hvcnQ/);
});
