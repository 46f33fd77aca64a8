import { addSend } from '../../../domain/confirmations/send';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { withRun } from '../../../domain/flows/runs';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { emailTokenFlow } from '../../../flows/email-token.flow';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { Problem } from '../../../api/http/problem';
import { codeOf } from '../../support/build';
import { ApiWorld, person } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

const settingsOf = { 'sms/tokens': smsToken, 'emails/tokens': emailToken } as const;
type Endpoint = keyof typeof settingsOf;

const confirmationsOf = (id: string) => world.transactions.states.get(`local/${id}`)?.confirmations ?? [];
const countSends = (id: string) => confirmationsOf(id).reduce((sum, { sends }) => sum + sends.length, 0);

/** Makes everything of the transaction older, as if this time had passed. */
function pass(id: string, ms: number): void {
  const key = `local/${id}`;
  const earlier = JSON.stringify(world.transactions.states.get(key)).replaceAll(
    /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    (instant) => new Date(Date.parse(instant) - ms).toISOString(),
  );
  world.transactions.states.set(key, JSON.parse(earlier));
}

async function openLink(endpoint: Endpoint) {
  const { id, path } = await world.createTransaction({ ...person, genericFields: { locale: 'en' } });
  await world.post(`${path}/${endpoint}`);
  const { url } = (await world.post(`${path}/${endpoint}/link`)).body as { url: string };
  return { id, path, page: url.replace('https://verify.example.com', '') };
}

const show = async (page: string) => String((await world.request(page, { token: null })).body);
const submit = (page: string, fields: Record<string, string>) =>
  world.post(page, {
    rawBody: new URLSearchParams(fields).toString(),
    token: null,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const pressOf = (html: string) => /name="press" value="([^"]+)"/.exec(html)?.[1] ?? '';
const press = (page: string, html: string) => submit(page, { action: 'resend', press: pressOf(html) });

const rightCode = (endpoint: Endpoint, id: string) =>
  codeOf(settingsOf[endpoint], id, confirmationsOf(id).at(-1)?.id ?? '');

async function block(page: string, endpoint: Endpoint, id: string) {
  const right = rightCode(endpoint, id);
  const wrong = ['100001', '100002', '100003', '100004', '100005', '100006'].filter((code) => code !== right);
  let last = '';
  for (const code of wrong.slice(0, 5)) last = String((await submit(page, { code })).body);
  return last;
}

describe.each(Object.keys(settingsOf) as Endpoint[])('on the page of %s', (endpoint) => {
  test('a too early press sends nothing, and the page says after how many seconds', async () => {
    const { id, page } = await openLink(endpoint);
    const html = await show(page);
    expect(html).toMatch(/Send the message again \(in \d+ s\)/);
    const early = await press(page, html);
    expect(early.status).toBe(200);
    expect(early.body).toMatch(/You can request another one in \d+ seconds?\./);
    expect(early.body).toContain('one-time-code');
    expect(countSends(id)).toBe(1);
  });

  test('after the pause, a press sends the message again, and its code confirms', async () => {
    const { id, page } = await openLink(endpoint);
    pass(id, 61_000);
    const html = await show(page);
    expect(html).toContain('Send the message again</button>');
    const sent = await press(page, html);
    expect(sent.body).toContain('We have sent the message.');
    expect(sent.body).toContain('one-time-code');
    expect(countSends(id)).toBe(2);
    expect((await submit(page, { code: rightCode(endpoint, id) })).body).toContain('Confirmed');
  });

  test('after too many wrong codes, the person gets a new code', async () => {
    const { id, page } = await openLink(endpoint);
    expect(await block(page, endpoint, id)).toMatch(/Send a new code \(in \d+ s\)/);
    pass(id, 61_000);
    const sent = await press(page, await show(page));
    expect(sent.body).toContain('We have sent the message.');
    expect(confirmationsOf(id)).toMatchObject([{ status: 'Blocked' }, { status: 'Waiting', attemptsUsed: 0 }]);
    expect((await submit(page, { code: rightCode(endpoint, id) })).body).toContain('Confirmed');
  });

  test('after the expiry, the person gets a new code', async () => {
    const { id, page } = await openLink(endpoint);
    pass(id, 31 * 60_000);
    const html = await show(page);
    expect(html).toContain('This request has expired');
    expect((await press(page, html)).body).toContain('one-time-code');
    expect(confirmationsOf(id)).toHaveLength(2);
  });

  test('a link whose code was used sends no message', async () => {
    const { id, page } = await openLink(endpoint);
    const html = await show(page);
    await submit(page, { code: rightCode(endpoint, id) });
    pass(id, 61_000);
    expect(await show(page)).not.toContain('<form');
    expect((await press(page, html)).body).toContain('Confirmed');
    expect(countSends(id)).toBe(1);
  });

  test('while all messages are sent, the page has no button, and a press gets a calm answer beside the field', async () => {
    const { id, page } = await openLink(endpoint);
    const html = await show(page);
    for (let sends = 1; sends < settingsOf[endpoint].sendLimit; sends += 1) {
      pass(id, 61_000);
      await press(page, await show(page));
    }
    expect(countSends(id)).toBe(settingsOf[endpoint].sendLimit);
    expect(await show(page)).not.toContain('value="resend"');
    const refused = await press(page, html);
    expect(refused.status).toBe(200);
    expect(refused.body).toContain('We cannot send more messages for this request.');
    expect(refused.body).toContain('one-time-code');
  });
});

test('without attempts in the transaction, or after a denial, there is no new code', async () => {
  const { id, page } = await openLink('sms/tokens');
  await block(page, 'sms/tokens', id);
  pass(id, 61_000);
  const state = world.transactions.states.get(`local/${id}`);
  if (!state) throw new Error('no state');
  for (const changed of [
    { ...state, attemptsUsed: 15 },
    { ...state, facts: { ...state.facts, deniedAt: state.createdAt } },
  ]) {
    world.transactions.states.set(`local/${id}`, changed);
    expect(await show(page)).not.toContain('<form');
    expect((await submit(page, { action: 'resend' })).status).toBe(410);
    expect(countSends(id)).toBe(1);
  }
});

test.each([
  ['DestinationRefused', 'We could not send the message to this destination.'],
  ['DestinationDailyLimitReached', 'We cannot send more messages for this request.'],
  ['FlowRunning', 'We could not send the message now.'],
  [new Problem('service_unavailable'), 'We could not send the message now.'],
] as const)('after the rejection %s, the page says so, and keeps the field', async (error, text) => {
  const { page } = await openLink('sms/tokens');
  const html = await show(page);
  // The first call reads the state, and the second sends the command.
  const { send } = world.transactions;
  world.transactions.send = (...request) => {
    world.transactions.nextErrors.push(error);
    return send(...request);
  };
  const response = await press(page, html);
  world.transactions.send = send;
  expect(response.status).toBe(200);
  expect(response.body).toContain(text);
  expect(response.body).toContain('one-time-code');
});

test('two presses of one button are one request, also if the first has replaced the code', async () => {
  const { id, page } = await openLink('emails/tokens');
  pass(id, 61_000);
  const html = await show(page);
  const { send } = world.transactions;
  const keys: (string | undefined)[] = [];
  world.transactions.send = (target, command, request) => {
    keys.push(request.idempotencyKey);
    return send(target, command, request);
  };
  await Promise.all([press(page, html), press(page, html)]);
  await press(page, html);
  world.transactions.send = send;
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toBeDefined();
  expect(countSends(id)).toBe(2);
});

describe('on the page of a code of a flow run', () => {
  const [code] = Object.values(smsTokenFlow.steps);
  const twoCodes = {
    ...smsTokenFlow,
    name: 'two-codes',
    start: 'first',
    steps: {
      ...smsTokenFlow.steps,
      first: { ...code, exits: { Valid: 'second', Expired: 'second', Blocked: 'second', Failed: 'second' } },
      second: emailTokenFlow.steps['code'],
    },
  } as FlowDefinition;

  async function startRun() {
    world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => twoCodes };
    const { id, path } = await world.createTransaction({ ...person, genericFields: { locale: 'en' } });
    const { runId } = (await world.post(`${path}/flows/two-codes`)).body as { runId: string };
    const { url } = (await world.post(`${path}/sms/tokens/link`)).body as { url: string };
    return { id, path, runId, page: url.replace('https://verify.example.com', '') };
  }

  test('a press sends the message of the flow run again', async () => {
    const { id, page } = await startRun();
    pass(id, 61_000);
    const sent = await press(page, await show(page));
    expect(sent.body).toContain('We have sent the message.');
    expect(world.transactions.states.get(`local/${id}`)?.confirmations).toMatchObject([
      { settings: { origin: 'two-codes/first' }, sends: [{}, {}] },
    ]);
  });

  test('after the flow run has moved on, the older link asks for the code for which it waits now', async () => {
    const { id, page } = await startRun();
    const key = `local/${id}`;
    const state = world.transactions.states.get(key);
    const run = state?.runs?.at(-1);
    const proposal = run?.plan?.confirmations['second'];
    if (!state || !run || !proposal) throw new Error('The flow run did not start.');
    const failed = {
      ...state,
      confirmations: state.confirmations.map((one) => ({ ...one, status: 'Failed' as const })),
    };
    const next = addSend(failed, { ...proposal, confirmationId: 'next', digest: 'd' }, new Date().toISOString());
    if ('error' in next) throw new Error(next.error.type);
    const path = [...run.path, { step: 'second', enteredAt: state.createdAt }];
    world.transactions.states.set(key, withRun(next.state, { ...run, path, awaiting: { confirmationId: 'next' } }));
    const html = await show(page);
    expect(html).toContain('sent a code to your e-mail address');
    expect(html).toContain('one-time-code');
  });
});
