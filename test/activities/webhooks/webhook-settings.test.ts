import { configureWebhooks } from '../../../activities/webhooks/webhook-settings';
import { ConfigurationError } from '../../../platform/config';
import { secret, secretOf } from './webhook-world';

const url = 'https://hooks.example.com/countersign?key=1';
const read = (webhooks: unknown, environment: 'production' | 'local' = 'production') =>
  configureWebhooks(typeof webhooks === 'string' ? webhooks : JSON.stringify(webhooks), environment);

it('gives a tenant its own webhook, the default, or none', () => {
  const webhookOf = read({ acme: { url, secret }, default: { url: 'https://hooks.example.org', secret: secretOf(2) } });
  expect(webhookOf('acme')).toMatchObject({ url, keys: [Buffer.alloc(32, 1)] });
  expect(webhookOf('other')).toMatchObject({ url: 'https://hooks.example.org', keys: [Buffer.alloc(32, 2)] });
  expect(read('{}')('acme')).toBeUndefined();
});

it('takes one secret or two, of 24 to 64 bytes', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 3).toString('base64')}`;
  const webhookOf = read({ acme: { url, secret: [of(24), of(64)] } });
  expect(webhookOf('acme')?.keys.map(({ length }) => length)).toEqual([24, 64]);
});

it.each(['http://127.0.0.1:3001/webhooks/local', 'http://api:3001', 'https://10.0.0.1'])(
  '%s is for local stacks',
  (to) => {
    expect(read({ acme: { url: to, secret } }, 'local')('acme')?.url).toBe(to);
    expect(() => read({ acme: { url: to, secret } })).toThrow(
      /WEBHOOKS: .* outside COUNTERSIGN_ENV=local[^]*acme\.url/,
    );
  },
);

it.each<[string, unknown, RegExp]>([
  ['no JSON', `{"acme":{"url":"${url}","secret":"${secret}"`, /is no JSON/],
  ['a list', [], /expected record/],
  ['a tenant that cannot be', { Acme: { url, secret } }, /Invalid key[^]*Acme/],
  ['no secret', { acme: { url } }, /acme\.secret/],
  ['no address', { acme: { secret } }, /acme\.url/],
  ['an address without a scheme', { acme: { url: 'hooks.example.com', secret } }, /is an address such as https/],
  ['another scheme', { acme: { url: 'ftp://hooks.example.com', secret } }, /is an address such as https/],
  ['credentials', { acme: { url: 'https://me:word@hooks.example.com', secret } }, /carries no credentials/],
  ['a fragment', { acme: { url: 'https://hooks.example.com/#a', secret } }, /has no fragment/],
  ['metadata of a cloud', { acme: { url: 'https://169.254.169.254/', secret } }, /no loopback, private or reserved/],
  ['a short secret', { acme: { url, secret: 'whsec_c2hvcnQ=' } }, /24 to 64 random bytes in base64/],
  ['a secret of another form', { acme: { url, secret: 'of-acme' } }, /is whsec_ and 24 to 64/],
  [
    'what is no base64',
    { acme: { url, secret: `${secret.slice(0, 20)}!${secret.slice(20)}` } },
    /is whsec_ and 24 to 64/,
  ],
  ['no secrets', { acme: { url, secret: [] } }, /acme\.secret/],
  ['three secrets', { acme: { url, secret: [secret, secret, secret] } }, /acme\.secret/],
  ['no events', { acme: { url, secret, events: [] } }, /acme\.events/],
  ['half a pattern', { acme: { url, secret, events: ['step*'] } }, /is a type such as step-up\.started/],
  ['a word that nobody reads', { acme: { url, secret, event: ['*'] } }, /event/],
])('%s is refused by name, and no secret is quoted', (_, webhooks, fault) => {
  expect(() => read(webhooks)).toThrow(ConfigurationError);
  expect(() => read(webhooks)).toThrow(/^WEBHOOKS: /);
  expect(() => read(webhooks)).toThrow(fault);
  expect(() => read(webhooks)).not.toThrow(/AQEBAQ|of-acme|c2hvcnQ/);
});
