import type { ApiResponse } from './api-world';
import { ApiWorld, person, problemShape } from './api-world';
import { unsafeCharacterIssue } from '../../domain/text';
import { emailToken } from '../../flows/confirmations';
import { hostedPagePath } from '../../messages/links';
import { codeOf } from '../support/build';
import { hostileReturnUrls, returnUrlPrefixes } from './hostile-return-urls';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
beforeEach(() => {
  world.transactions.clockOffsetMs = 0;
  world.addressesByClient.clear();
  allow(...returnUrlPrefixes);
});
afterAll(() => world.close());

/** Sets the allowed return URLs of the test client. */
const allow = (...returnUrls: string[]) => world.addressesByClient.set('client-of-local', { returnUrls, origins: [] });

const allowedReturnUrl = 'https://shop.example/checkout?cart=7';

/** A request for each page that can send a person back to the caller. `field`: the name of the return URL in `errors` of a problem. */
const requests: Record<string, { field: string; send: (path: string, returnUrl: string) => Promise<ApiResponse> }> = {
  'a biometrics link': {
    field: 'returnUrl',
    send: (path, returnUrl) => world.post(`${path}/biometrics`, { body: { returnUrl } }),
  },
  'a link for a code': {
    field: 'returnUrl',
    send: async (path, returnUrl) => {
      await world.post(`${path}/sms/tokens`);
      return world.post(`${path}/sms/tokens/link`, { body: { returnUrl } });
    },
  },
  'an e-mail token': {
    field: 'X-Countersign-Return-Url',
    send: (path, returnUrl) =>
      world.post(`${path}/emails/tokens`, { headers: { 'X-Countersign-Return-Url': returnUrl } }),
  },
  'an e-mail second factor': {
    field: 'X-Countersign-Return-Url',
    send: (path, returnUrl) => world.post(`${path}/emails/2fa`, { headers: { 'X-Countersign-Return-Url': returnUrl } }),
  },
};

describe.each(Object.entries(requests))('%s', (_, { field, send }) => {
  test('a request with an allowed return URL is accepted', async () => {
    const { path } = await world.createTransaction();
    expect((await send(path, allowedReturnUrl)).status).toBe(201);
  });

  test('a request gets 422 return_url_not_allowed for an address that its client does not allow, and nothing is sent', async () => {
    const { id, path } = await world.createTransaction();
    const response = await send(path, 'https://evil.example/');
    expect(response).toMatchObject({ status: 422, body: problemShape('return_url_not_allowed', 422) });
    expect(response.body).toMatchObject({
      errors: { [field]: [expect.stringContaining('allowed return URL of this client')] },
    });
    const state = world.transactions.states.get(`local/${id}`);
    expect(state?.biometrics ?? []).toEqual([]);
    expect(state?.confirmations.filter(({ settings }) => settings.channel === 'email')).toEqual([]);
  });

  test('a request gets 422 if its client allows no return URLs', async () => {
    world.addressesByClient.clear();
    const { path } = await world.createTransaction();
    expect((await send(path, allowedReturnUrl)).status).toBe(422);
  });
});

test.each(hostileReturnUrls)('a hostile return URL of a biometrics link is rejected: %s', async (_, returnUrl) => {
  const { path } = await world.createTransaction();
  const response = await world.post(`${path}/biometrics`, { body: { returnUrl } });
  // Texts with unsafe characters are rejected earlier, with another code.
  const isUnsafe = unsafeCharacterIssue(returnUrl) !== undefined;
  expect(response.body).toMatchObject({ code: isUnsafe ? expect.any(String) : 'return_url_not_allowed' });
  expect(response.status).toBe(isUnsafe ? 400 : 422);
  // The problem does not repeat the address.
  expect(JSON.stringify(response.body)).not.toMatch(/evil|alert|secret/);
});

test('return URLs of the local machine are rejected in production', async () => {
  const environment = world.dependencies.config.COUNTERSIGN_ENV;
  world.dependencies.config.COUNTERSIGN_ENV = 'production';
  try {
    const { path } = await world.createTransaction();
    const response = await world.post(`${path}/biometrics`, { body: { returnUrl: 'http://localhost:8080/' } });
    expect(response.status).toBe(422);
  } finally {
    world.dependencies.config.COUNTERSIGN_ENV = environment;
  }
});

test('a return URL may be null, and a number is rejected', async () => {
  const { path } = await world.createTransaction();
  expect((await world.post(`${path}/biometrics`, { body: { returnUrl: null } })).status).toBe(201);
  expect((await world.post(`${path}/biometrics`, { body: { returnUrl: 5 } })).status).toBe(400);
});

/** The address of the button back to the caller's site, if the page has one. */
const backOf = (body: unknown) => /href="([^"]*)" target="_top"/.exec(String(body))?.[1]?.replaceAll('&amp;', '&');
const submit = (page: string, fields: Record<string, string>) =>
  world.post(page, {
    rawBody: new URLSearchParams(fields).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('the page of an e-mail', () => {
  async function open(endpoint: 'emails/tokens' | 'emails/2fa', purpose: 'answer' | 'deny' = 'answer') {
    const { id, path } = await world.createTransaction(person);
    const sent = await world.post(`${path}/${endpoint}`, { headers: { 'X-Countersign-Return-Url': allowedReturnUrl } });
    expect(sent.status).toBe(201);
    const confirmationId = world.transactions.confirmationIds.at(-1) ?? '';
    const target = { tenant: 'local', transactionId: id, confirmationId, purpose };
    return { id, page: hostedPagePath(world.dependencies.keys, target) };
  }

  test.each([
    ['emails/tokens', 'confirm', 'Valid'],
    ['emails/2fa', '1', 'Replied'],
    ['emails/2fa', '2', 'Replied'],
  ] as const)(
    'the page of %s has a button back to the site of the caller after the person presses %s',
    async (endpoint, action, status) => {
      const { id, page } = await open(endpoint);
      expect(backOf((await world.request(page, { token: null })).body)).toBeUndefined();
      const expected = `https://shop.example/checkout?cart=7&transactionId=${id}&status=${status}`;
      expect(backOf((await submit(page, { action })).body)).toBe(expected);
      const again = await world.request(page, { token: null });
      expect(backOf(again.body)).toBe(expected);
      expect(again.body).toContain('Voltar para shop.example');
    },
  );

  test('the page has no button back after the button that denies, because the person who denies was not on the site of the caller', async () => {
    const { page } = await open('emails/tokens');
    expect(backOf((await submit(page, { action: 'deny' })).body)).toBeUndefined();
    const denyPage = await open('emails/tokens', 'deny');
    expect(backOf((await submit(denyPage.page, { action: 'deny' })).body)).toBeUndefined();
  });

  test('the page has no button back after the client stopped allowing the return URL', async () => {
    const { page } = await open('emails/tokens');
    allow('https://other.example/');
    expect(backOf((await submit(page, { action: 'confirm' })).body)).toBeUndefined();
  });

  test('while the addresses of the client cannot be read, the page says that the answer was saved, and has no button back', async () => {
    const { page } = await open('emails/tokens');
    const { clientAddresses } = world.dependencies;
    world.dependencies.clientAddresses = async () => {
      throw Object.assign(new Error('The connection is refused.'), { code: 'ECONNREFUSED' });
    };
    try {
      const response = await submit(page, { action: 'confirm' });
      expect(response.status).toBe(200);
      expect(response.body).toContain('Confirmado');
      expect(backOf(response.body)).toBeUndefined();
    } finally {
      world.dependencies.clientAddresses = clientAddresses;
    }
  });

  test('the page sends the person back with the status Expired after the expiry', async () => {
    const { id, page } = await open('emails/2fa');
    world.transactions.clockOffsetMs = 31 * 60_000;
    const url = new URL(backOf((await world.request(page, { token: null })).body) ?? 'about:blank');
    expect(Object.fromEntries(url.searchParams)).toEqual({ cart: '7', transactionId: id, status: 'Expired' });
  });
});

test('the page for a code sends the person back with the status, and never with the code', async () => {
  const { id, path } = await world.createTransaction(person);
  await world.post(`${path}/emails/tokens`);
  const link = await world.post(`${path}/emails/tokens/link`, {
    body: { returnUrl: `${allowedReturnUrl}&status=Forged&transactionId=1#done` },
  });
  const page = new URL((link.body as { url: string }).url).pathname;
  const code = codeOf(emailToken, id, world.transactions.confirmationIds.at(-1) ?? '');
  const url = new URL(backOf((await submit(page, { code })).body) ?? 'about:blank');
  expect(url.href).not.toContain(code);
  expect(url.href).not.toContain(page.slice(6));
  expect(Array.from(url.searchParams)).toEqual([
    ['cart', '7'],
    ['status', 'Valid'],
    ['transactionId', id],
  ]);
});

test('two requests that differ only in the return URL count as different, so they cannot share an idempotency key', async () => {
  const { path } = await world.createTransaction(person);
  const identities: unknown[] = [];
  const { send } = world.transactions;
  world.transactions.send = (target, command, request) => {
    identities.push(request.identity);
    return send(target, command, request);
  };
  try {
    for (const returnUrl of ['https://shop.example/checkout/1', 'https://shop.example/checkout/2'])
      await world.post(`${path}/biometrics`, { body: { returnUrl } });
  } finally {
    world.transactions.send = send;
  }
  expect(identities[0]).not.toEqual(identities[1]);
});
