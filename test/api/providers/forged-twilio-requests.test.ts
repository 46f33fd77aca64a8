import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';
import { validateRequest } from 'twilio';
import { publicUrl, twilioAuthToken } from '../api-world';
import { createMessageSid, phoneNumber, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
afterAll(() => world.close());

const path = '/webhooks/twilio/inbound';
type Form = Record<string, string>;
const sign = (url: string, form: Form, key = twilioAuthToken) => getExpectedTwilioSignature(key, url, form);
const newForm = (): Form => ({ MessageSid: createMessageSid(), From: phoneNumber, Body: 'SIM' });

/** Unlike `fetch`, this function can send any Host header and request target. */
function send(target: string, form: Form | string, headers: Form): Promise<number> {
  const { hostname, port } = new URL(world.api.address);
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const allHeaders = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      ...headers,
    };
    request({ hostname, port, path: target, method: 'POST', headers: allHeaders }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(body);
  });
}

const countEvents = async () => {
  const { rows } = await world.pool.query<{ count: number }>('select count(*)::int as count from provider_events');
  return rows[0]?.count ?? 0;
};

/** What an attacker without Twilio's key can send. Each function gets the genuine form, and returns target, form and headers. */
const forgeries: Record<string, (form: Form) => [string, Form | string, Form]> = {
  'no signature': (form) => [path, form, {}],
  'an empty signature': (form) => [path, form, { 'x-twilio-signature': '' }],
  'an empty key': (form) => [path, form, { 'x-twilio-signature': sign(`${publicUrl}${path}`, form, '') }],
  'another key': (form) => [path, form, { 'x-twilio-signature': sign(`${publicUrl}${path}`, form, 'other') }],
  'another text': (form) => [
    path,
    { ...form, Body: 'NAO' },
    { 'x-twilio-signature': sign(`${publicUrl}${path}`, form) },
  ],
  'an added field': (form) => [path, { ...form, A: 'b' }, { 'x-twilio-signature': sign(`${publicUrl}${path}`, form) }],
  'another path': (form) => [path, form, { 'x-twilio-signature': sign(`${publicUrl}/webhooks/twilio/status/x`, form) }],
  'an added query': (form) => [`${path}?a=b`, form, { 'x-twilio-signature': sign(`${publicUrl}${path}`, form) }],
  'a signature for http': (form) => [
    path,
    form,
    { 'x-twilio-signature': sign(`${publicUrl.replace('https', 'http')}${path}`, form), 'x-forwarded-proto': 'http' },
  ],
  'a signature for the host in X-Forwarded-Host': (form) => [
    path,
    form,
    { 'x-twilio-signature': sign(`https://evil.example${path}`, form), 'x-forwarded-host': 'evil.example' },
  ],
  'a signature for the host in the header Host': (form) => [
    path,
    form,
    { 'x-twilio-signature': sign(`http://localhost${path}`, form), host: 'localhost' },
  ],
  'a whole URL as the request target': (form) => [
    `https://evil.example${path}`,
    form,
    { 'x-twilio-signature': sign(`https://evil.example${path}`, form) },
  ],
  'a JSON body with its hash in the address': (form) => {
    const body = JSON.stringify(form);
    const target = `${path}?bodySHA256=${createHash('sha256').update(body).digest('hex')}`;
    return [
      target,
      body,
      { 'x-twilio-signature': sign(`${publicUrl}${target}`, {}), 'content-type': 'application/json' },
    ];
  },
  'a form with its hash in the address, and a signature that covers only the address': (form) => {
    const body = new URLSearchParams(form).toString();
    const target = `${path}?bodySHA256=${createHash('sha256').update(body).digest('hex')}`;
    return [target, body, { 'x-twilio-signature': sign(`${publicUrl}${target}`, {}) }];
  },
  'a signature with a space': (form) => [
    path,
    form,
    { 'x-twilio-signature': `${sign(`${publicUrl}${path}`, form)} x` },
  ],
  'a shorter signature': (form) => [
    path,
    form,
    { 'x-twilio-signature': sign(`${publicUrl}${path}`, form).slice(0, -2) },
  ],
};

test.each(Object.keys(forgeries))(
  'a forged request in the name of Twilio is refused and saves nothing: %s',
  async (name) => {
    const [before, form] = [await countEvents(), newForm()];
    const [target, body, headers] = forgeries[name]?.(form) ?? [path, form, {}];
    expect([403, 404, 415, 421]).toContain(await send(target, body, headers));
    expect(await countEvents()).toBe(before);
  },
);

describe('a reply that its sender captures and divides into other fields', () => {
  const [victim, otherSid] = ['+5511900001111', createMessageSid()];
  const divide = async (text: string, toFields: (form: Form) => Form): Promise<number> => {
    const signed = { ...newForm(), Body: text };
    return send(path, toFields(signed), { 'x-twilio-signature': sign(`${publicUrl}${path}`, signed) });
  };

  test('it is not accepted as a reply of another sender', async () => {
    const before = await countEvents();
    const status = await divide(`SIMFrom${victim}G`, ({ MessageSid = '', From = '' }) => ({
      ...{ Body: 'SIM', From: victim, G: `From${From}`, MessageSid },
    }));
    expect([status, await countEvents()]).toEqual([400, before]);
  });

  test('it is not accepted with the id of another message', async () => {
    const before = await countEvents();
    const status = await divide(`SIMFrom${phoneNumber}MessageSid${otherSid}Z`, ({ MessageSid = '', From = '' }) => ({
      ...{ Body: 'SIM', From, MessageSid: otherSid, Z: `From${From}MessageSid${MessageSid}` },
    }));
    expect([status, await countEvents()]).toEqual([400, before]);
  });

  test('it is not accepted with an id of its own in another field with this ending', async () => {
    const before = await countEvents();
    const status = await divide(`SIMFrom${victim}MessageSid${otherSid}Z`, ({ MessageSid = '', From = '' }) => ({
      ...{ Body: 'SIM', From: victim, MessageSid: otherSid, ZFrom: `${From}MessageSid${MessageSid}` },
    }));
    expect([status, await countEvents()]).toEqual([400, before]);
  });

  test('it is not accepted if the true sender and the true id are in new fields whose names end like these', async () => {
    const [before, oldSid] = [await countEvents(), createMessageSid()];
    const others = { SmsMessageSid: oldSid, SmsSid: oldSid, SmsStatus: 'received' };
    const signed: Form = {
      ...{ ...others, Body: `SIMFrom${victim}MessageSid${otherSid}Nx`, From: phoneNumber, FromCity: '' },
      ...{ FromCountry: 'BR', FromState: '', FromZip: '', MessageSid: oldSid, NumMedia: '0', NumSegments: '1' },
    };
    const forged: Form = {
      ...{ ...others, Body: 'SIM', From: victim, MessageSid: otherSid, NxFrom: `${phoneNumber}FromCityFromCountryB` },
      RFromStateFromZipMessageSid: `${oldSid}NumMedia0NumSegments1`,
    };
    const signature = sign(`${publicUrl}${path}`, signed);
    expect(sign(`${publicUrl}${path}`, forged)).toBe(signature);
    const status = await send(path, forged, { 'x-twilio-signature': signature });
    expect([status, await countEvents()]).toEqual([400, before]);
  });
});

test('a request from Twilio that is replayed 100 times counts once', async () => {
  const [before, form] = [await countEvents(), newForm()];
  const headers = { 'x-twilio-signature': sign(`${publicUrl}${path}`, form) };
  for (let time = 0; time < 100; time += 1) expect(await send(path, form, headers)).toBe(200);
  expect(await countEvents()).toBe(before + 1);
});

test('a genuine request from Twilio is accepted behind a proxy that changes scheme and host', async () => {
  const form = newForm();
  const headers = {
    'x-twilio-signature': sign(`${publicUrl}${path}`, form),
    ...{ host: 'localhost:3000', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'proxy.internal' },
  };
  expect(await send(path, form, headers)).toBe(200);
});

/** From Twilio's documentation and the tests of its libraries. */
const officialForm = {
  CallSid: 'CA1234567890ABCDE',
  Caller: '+14158675309',
  Digits: '1234',
  From: '+14158675309',
  To: '+18005551212',
};
const officialUrl = 'https://mycompany.com/myapp.php?foo=1&bar=2';

test.each([
  [officialUrl, 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
  [officialUrl.replace('.com', '.com:443'), 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
])('the signature that Twilio publishes for %s is accepted', (url, signature) => {
  expect(validateRequest('12345', signature, url, officialForm)).toBe(true);
  expect(validateRequest('12345', signature, url, { ...officialForm, Digits: '1235' })).toBe(false);
});
