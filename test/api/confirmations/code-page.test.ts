import { Problem } from '../../../api/http/problem';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { hostedPagePath } from '../../../messages/links';
import { codeOf } from '../../support/build';
import { ApiWorld, person, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
beforeEach(() => {
  world.transactions.clockOffsetMs = 0;
  world.addressesByClient.clear();
});
afterAll(() => world.close());

const endpoints = { 'sms/tokens': smsToken, 'emails/tokens': emailToken } as const;
type Endpoint = keyof typeof endpoints;

const lastConfirmation = (id: string) => world.transactions.states.get(`local/${id}`)?.confirmations.at(-1);

/** Sends a code, and requests a link to the page on which the person enters the code. `page`: the path of this page. */
async function openLink(endpoint: Endpoint, body: object = {}, extraFields: object = {}) {
  const { id, path } = await world.createTransaction({
    ...person,
    genericFields: { locale: 'en' },
    ...extraFields,
  });
  await world.post(`${path}/${endpoint}`);
  const response = await world.post(`${path}/${endpoint}/link`, { body });
  const { url = '' } = response.body as { url?: string };
  return { id, path, response, page: url.replace('https://verify.example.com', '') };
}

const codeFor = (endpoint: Endpoint, id: string) => codeOf(endpoints[endpoint], id, lastConfirmation(id)?.id ?? '');

/** At least `count` different codes. */
const wrongCodes = (right: string, count: number) =>
  Array.from({ length: count + 1 }, (_, at) => String(100_000 + at)).filter((code) => code !== right);

const openPage = (page: string) => world.request(page, { token: null });
const submit = (page: string, code: string) =>
  world.post(page, {
    rawBody: new URLSearchParams({ code }).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe.each(Object.keys(endpoints) as Endpoint[])('a link for %s', (endpoint) => {
  test('the page of a link has a form that confirms with the right code, also if the code has spaces', async () => {
    const { id, path, page, response } = await openLink(endpoint);
    expect(response).toMatchObject({
      status: 201,
      body: { url: `https://verify.example.com${page}`, expirationTime: lastConfirmation(id)?.expiresAt },
    });
    const form = await openPage(page);
    expect(form.status).toBe(200);
    expect(form.body).toContain('autocomplete="one-time-code"');
    expect(form.body).not.toContain('<script');
    expect(String(form.body)).not.toMatch(/maria|98765/i);
    expect(form.body).toContain(endpoint === 'sms/tokens' ? ' **** 4321. ' : ' m***@example.com. ');
    expect(form.body).toMatch(/It is valid for \d+ more minutes\./);
    const code = codeFor(endpoint, id);
    const result = await submit(page, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(result.status).toBe(200);
    expect(result.body).toContain('Confirmed');
    expect(lastConfirmation(id)).toMatchObject({ status: 'Valid', attemptsUsed: 1, outcome: 'yes' });
    const validation = await world.post(`${path}/${endpoint}/validate`, { body: { value: code } });
    expect(validation.body).toMatchObject({ status: 'Used' });
    expect((await openPage(page)).body).toContain('Confirmed');
  });

  test('wrong codes in the form and in the API count together, and the fifth wrong code blocks the token', async () => {
    const { id, path, page } = await openLink(endpoint);
    const right = codeFor(endpoint, id);
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = wrongCodes(right, 5);
    expect((await submit(page, first)).body).toContain('You have 4 attempts left.');
    const fromApi = await world.post(`${path}/${endpoint}/validate`, { body: { value: second } });
    expect(fromApi.headers.get('x-attempts-remaining')).toBe('3');
    expect((await submit(page, third)).body).toContain('You have 2 attempts left.');
    expect((await submit(page, fourth)).body).toContain('You have 1 attempt left.');
    const blocked = await submit(page, fifth);
    // The page offers a new code, so its link is not closed.
    expect(blocked.status).toBe(200);
    expect(blocked.body).toContain('Too many wrong codes');
    expect(blocked.body).not.toContain('one-time-code');
    expect(blocked.body).toContain('Send a new code');
    expect((await submit(page, right)).body).toContain('Too many wrong codes');
    expect(lastConfirmation(id)).toMatchObject({ status: 'Blocked', attemptsUsed: 5 });
  });
});

test('a text that cannot be a code uses no attempt', async () => {
  const { id, page } = await openLink('sms/tokens');
  for (const code of ['', '  ', '-', 'my code', '12345', '1'.repeat(11), '12345O'])
    expect((await submit(page, code)).body).toContain('Enter the code from the message.');
  expect(lastConfirmation(id)?.attemptsUsed).toBe(0);
});

test('the page accepts a pasted code with invisible characters', async () => {
  const { id, page } = await openLink('sms/tokens');
  const code = codeFor('sms/tokens', id);
  expect((await submit(page, `\u200e${code.slice(0, 3)}\u2011\u200b${code.slice(3)}\u202c`)).body).toContain(
    'Confirmed',
  );
});

test('the page does not show what the person typed', async () => {
  const { page } = await openLink('sms/tokens');
  expect((await submit(page, '<script>alert(1)</script>')).body).not.toContain('alert(1)');
});

test('the page accepts the code of the newest message after a resend', async () => {
  const { id, path, page } = await openLink('emails/tokens');
  const older = codeFor('emails/tokens', id);
  world.transactions.clockOffsetMs = 2 * 60_000;
  await world.post(`${path}/emails/tokens`);
  expect((await submit(page, older)).body).toContain('This code is from an earlier message.');
  expect((await submit(page, codeFor('emails/tokens', id))).body).toContain('Confirmed');
});

test('the page says that the code has expired', async () => {
  const { id, page } = await openLink('sms/tokens');
  world.transactions.clockOffsetMs = 31 * 60_000;
  const code = codeFor('sms/tokens', id);
  // Only the clock of the transaction is ahead, so the page learns from the transaction that the code has expired.
  expect((await submit(page, code)).body).toContain('This request has expired');
});

// As in the real service, a command with a known idempotency key gets the first answer again.
describe('if a repeated command gets the first answer again,', () => {
  let send: ApiWorld['transactions']['send'];
  beforeEach(() => {
    send = world.transactions.send;
    const answers = new Map<string, Promise<unknown>>();
    world.transactions.send = ((target, command, request) => {
      const key = request.idempotencyKey;
      const answer = (key === undefined ? undefined : answers.get(key)) ?? send(target, command, request);
      if (key !== undefined) answers.set(key, answer);
      return answer;
    }) as typeof send;
  });
  afterEach(() => {
    world.transactions.send = send;
  });

  test('a second press of the button uses no attempt, and shows the same result', async () => {
    const { id, page } = await openLink('sms/tokens');
    const code = codeFor('sms/tokens', id);
    const [wrong = ''] = wrongCodes(code, 1);
    for (const _ of [1, 2]) expect((await submit(page, wrong)).body).toContain('You have 4 attempts left.');
    expect(lastConfirmation(id)?.attemptsUsed).toBe(1);
    for (const _ of [1, 2]) expect((await submit(page, code)).body).toContain('Confirmed');
  });

  test('the page reports too many wrong codes, even if the person then sends the first wrong code again', async () => {
    const { id, page } = await openLink('sms/tokens');
    const wrong = wrongCodes(codeFor('sms/tokens', id), 5);
    for (const code of wrong) await submit(page, code);
    expect((await submit(page, wrong[0] ?? '')).body).toContain('Too many wrong codes');
  });
});

test('during an outage, a submitted code gets 503', async () => {
  const { page } = await openLink('sms/tokens');
  const submitting = submit(page, '123456');
  world.transactions.nextErrors.push(new Problem('service_unavailable'));
  expect((await submitting).status).toBe(503);
});

test('a request for a link returns 404 if no code was sent', async () => {
  const { path } = await world.createTransaction();
  const response = await world.post(`${path}/sms/tokens/link`);
  expect(response).toMatchObject({ status: 404, body: problemShape('token_not_found', 404) });
});

test('after a denial, a request for a link gets 409 transaction_denied, with and without a code', async () => {
  const { id, path, page } = await openLink('emails/tokens');
  const confirmationId = lastConfirmation(id)?.id ?? '';
  const target = { tenant: 'local', transactionId: id, confirmationId, purpose: 'deny' } as const;
  await world.post(hostedPagePath(world.dependencies.keys, target), {
    rawBody: 'action=deny',
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(lastConfirmation(id)?.outcome).toBe('no');
  for (const endpoint of ['emails/tokens', 'sms/tokens'])
    expect(await world.post(`${path}/${endpoint}/link`)).toMatchObject({
      status: 409,
      body: problemShape('transaction_denied', 409),
    });
  expect((await openPage(page)).body).toContain('This request is closed');
});

test('a request for a link without the scope confirmation:validate returns 403', async () => {
  const { path } = await world.createTransaction();
  const token = await world.issueToken('local', ['confirmation:send']);
  expect((await world.post(`${path}/sms/tokens/link`, { token })).status).toBe(403);
});

test('forged links, and links of other pages, get 404', async () => {
  const { id, page } = await openLink('sms/tokens');
  const confirmationId = lastConfirmation(id)?.id ?? '';
  const target = { tenant: 'local', transactionId: id, confirmationId, purpose: 'answer' } as const;
  const otherPage = hostedPagePath(world.dependencies.keys, target).replace('/confirm/', '/code/');
  const [body = '', signature = ''] = page.replace('/code/', '').split('.');
  const changed = Buffer.from(Buffer.from(body, 'base64url').toString().replace('client-of-local', 'client-of-other'));
  for (const link of ['/code/x', `${page}x`, otherPage, `/code/${changed.toString('base64url')}.${signature}`]) {
    const response = await openPage(link);
    expect([link, response.status]).toEqual([link, 404]);
    expect(response.body).toContain('Link desconhecido');
  }
  expect((await openPage(page.replace('/code/', '/confirm/'))).status).toBe(404);
});
