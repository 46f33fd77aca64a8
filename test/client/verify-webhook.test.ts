import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../../client/index';
import { sampleEvent, sampleSecret, secretFilledWith, signWith } from '../activities/webhooks/webhook-world';

const body = JSON.stringify({ ...sampleEvent, data: { step: 'ação' } });
const otherSecret = secretFilledWith(2);

/** The reason of the refusal. Undefined for an accepted request. */
const refusalOf = (...request: Parameters<typeof verifyWebhook>) =>
  verifyWebhook(...request).then(
    () => undefined,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

function isAcceptedByLibrary(secret: string, text: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
/** The headers of a valid request, signed again for each test, because old signatures are refused. */
let signed: ReturnType<typeof signWith>;
beforeEach(() => {
  signed = signWith(sampleSecret, body);
});

test('a signed request is accepted: as text or bytes, with Headers or an object, and with header names in any case', async () => {
  const event = JSON.parse(body) as unknown;
  expect(await verifyWebhook(body, signed, sampleSecret)).toEqual(event);
  expect(await verifyWebhook(Buffer.from(body), new Headers(signed), [otherSecret, sampleSecret])).toEqual(event);
  const upperCase = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(body, upperCase, sampleSecret)).toEqual(event);
});

test('a request that is signed with the old and the new secret is accepted with either secret', async () => {
  const other = signWith(otherSecret, body)['webhook-signature'];
  const headers = { ...signed, 'webhook-signature': `${other} v2,abc ${signed['webhook-signature']}` };
  for (const secret of [sampleSecret, otherSecret]) expect(await refusalOf(body, headers, secret)).toBeUndefined();
});

/** The case, the body, the headers, and the reason of the refusal, if any. */
const requests: [string, string, () => Record<string, string>, string | undefined][] = [
  ['a valid signature', body, () => signed, undefined],
  ['another body', body.replace('3', '4'), () => signed, 'forged'],
  ['another id', body, () => ({ ...signed, 'webhook-id': 'x' }), 'forged'],
  [
    'another time',
    body,
    () => ({ ...signed, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) }),
    'forged',
  ],
  ['another secret', body, () => signWith(otherSecret, body), 'forged'],
  ['an empty signature', body, () => ({ ...signed, 'webhook-signature': 'v1,' }), 'forged'],
  ['a signature that is not base64', body, () => ({ ...signed, 'webhook-signature': 'v1,%%' }), 'forged'],
  ['a signature of an unknown version', body, () => ({ ...signed, 'webhook-signature': 'v1a,abc' }), 'forged'],
  ['a signature from 4 min 50 s ago', body, () => signWith(sampleSecret, body, { at: secondsAgo(290) }), undefined],
  ['a signature from 5 min 10 s ago', body, () => signWith(sampleSecret, body, { at: secondsAgo(310) }), 'too_old'],
  [
    'a signature from 4 min 50 s in the future',
    body,
    () => signWith(sampleSecret, body, { at: secondsAgo(-290) }),
    undefined,
  ],
  [
    'a signature from 5 min 10 s in the future',
    body,
    () => signWith(sampleSecret, body, { at: secondsAgo(-310) }),
    'too_new',
  ],
  ['no signature', body, () => ({ ...signed, 'webhook-signature': '' }), 'malformed'],
  ['no time', body, () => ({ ...signed, 'webhook-timestamp': 'NaN' }), 'malformed'],
  ['a body that is not JSON', 'x', () => signWith(sampleSecret, 'x'), 'malformed'],
];

test.each(requests)(
  'the client accepts or refuses a request with %s, as the library of Standard Webhooks does',
  async (_, text, createHeaders, refusal) => {
    const headers = createHeaders();
    expect(await refusalOf(text, headers, sampleSecret)).toBe(refusal);
    expect(isAcceptedByLibrary(sampleSecret, text, headers)).toBe(refusal === undefined);
  },
);

test('an event is refused if isRepeated returns true, and isRepeated is not called for invalid requests', async () => {
  const ids = new Set<string>();
  const asked: string[] = [];
  const isRepeated = async (id: string) => {
    asked.push(id);
    return ids.size === ids.add(id).size;
  };
  expect(await refusalOf(body, signWith(otherSecret, body), sampleSecret, { isRepeated })).toBe('forged');
  expect(await refusalOf(body, signed, sampleSecret, { isRepeated })).toBeUndefined();
  expect(await refusalOf(body, signed, sampleSecret, { isRepeated })).toBe('repeated');
  expect(asked).toEqual([sampleEvent.id, sampleEvent.id]);
});

test('an empty secret causes an error about the secret, and not a refusal of the request', async () => {
  expect(String(await refusalOf(body, signed, 'whsec_'))).toContain('The secret of the webhook is empty');
});
