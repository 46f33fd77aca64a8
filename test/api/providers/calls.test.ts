import { randomBytes } from 'node:crypto';
import { deriveCode } from '../../../messages/codes';
import { callPath } from '../../../messages/links';
import { problemShape, publicUrl } from '../api-world';
import { phoneNumber, type SavedSend, TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
afterAll(() => world.close());

/** A call whose request Twilio has not answered yet, with its id at Twilio and its path. */
async function saveCall() {
  const call = await world.saveSend('voice', 'token');
  const { transactionId, sendId } = call;
  const path = callPath(world.api.dependencies.keys, { tenant: 'local', transactionId, sendId });
  return { ...call, callId: `CA${randomBytes(16).toString('hex')}`, callPath: path };
}
type SavedCall = Awaited<ReturnType<typeof saveCall>>;

const codeOf = ({ transactionId, confirmationId }: SavedSend) =>
  deriveCode(world.api.dependencies.keys, transactionId, confirmationId, 6);

const answer = ({ callPath: path, callId }: SavedCall, fields: Record<string, string> = {}, query = '') =>
  world.sendTwilioRequest(`${path}${query}`, {
    CallSid: callId,
    CallStatus: 'in-progress',
    To: phoneNumber,
    ...fields,
  });

const report = ({ callPath: path, callId }: SavedCall, status: string) =>
  world.sendTwilioRequest(`${path}/status`, { CallSid: callId, CallStatus: status, To: phoneNumber });

const reportsOf = ({ sendId }: SavedSend) =>
  world.transactions.reportedDeliveryStatuses
    .filter((one) => one.sendId === sendId)
    .map(({ status, code }) => [status, code]);

async function readSend({ sendId }: SavedSend) {
  const { rows } = await world.pool.query<{ state: string; provider_id: string; provider_status: string }>(
    'select state, provider_id, provider_status from sends where send_id = $1',
    [sendId],
  );
  return rows[0];
}

/** What a call says, one entry for each part that Twilio says. */
const spoken = (twiml: unknown) => [...String(twiml).matchAll(/<Say[^>]*>([^<]*)</g)].map(([, text]) => text);

test('a person who answers hears the code digit by digit, twice, and can hear it again with any key', async () => {
  const call = await saveCall();
  const response = await answer(call, { AnsweredBy: 'human' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/xml/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const digits = codeOf(call).split('');
  const reading = [
    expect.stringMatching(/^Olá! Aqui é Countersign\. Seu código é:$/),
    ...digits,
    expect.stringMatching(/^Digite este código para confirmar\./),
    'Para ouvir de novo, pressione qualquer tecla.',
  ];
  expect(spoken(response.body)).toEqual([...reading, ...reading, 'Até logo.']);
  const twiml = String(response.body);
  expect(twiml.match(/<Pause length="1"\/>/g)).toHaveLength(2 * digits.length);
  expect(twiml).toContain(`action="${publicUrl}${call.callPath}?repeat=1"`);
  expect(twiml).toContain('language="pt-BR"');
  expect(twiml).toMatch(/<Hangup\/><\/Response>$/);
});

test('after three keys, the call cannot be repeated any more', async () => {
  const call = await saveCall();
  for (const [query, next] of [
    ['?repeat=1', '?repeat=2'],
    ['?repeat=2', '?repeat=3'],
  ] as const)
    expect(String((await answer(call, { Digits: '1' }, query)).body)).toContain(next);
  const last = String((await answer(call, { Digits: '#' }, '?repeat=3')).body);
  expect(last).not.toContain('<Gather');
  expect(spoken(last)).toEqual(expect.arrayContaining(codeOf(call).split('')));
});

test.each(['machine_start', 'machine_end_beep', 'machine_end_silence', 'fax'])(
  'a call that is answered by %s says no code, and its message counts as failed',
  async (by) => {
    const call = await saveCall();
    const { body } = await answer(call, { AnsweredBy: by });
    expect(body).toBe('<?xml version="1.0" encoding="UTF-8"?><Response><Hangup/></Response>');
    await report(call, 'completed');
    expect(reportsOf(call)).toEqual([['failed', 'AnsweredByMachine']]);
    expect(await readSend(call)).toMatchObject({ provider_status: 'answered-by-machine' });
  },
);

test.each([
  ['busy', 'Busy'],
  ['no-answer', 'NoAnswer'],
  ['failed', 'CallFailed'],
  ['canceled', 'CallCanceled'],
  // The person hung up before Twilio had asked what to say.
  ['completed', 'HungUp'],
])('a call with the status %s that nobody listened to has failed with the code %s', async (status, code) => {
  const call = await saveCall();
  for (const earlier of ['initiated', 'ringing']) await report(call, earlier);
  expect(reportsOf(call)).toEqual([]);
  expect((await report(call, status)).status).toBe(204);
  expect(reportsOf(call)).toEqual([['failed', code]]);
});

test('a call that told its code is delivered, and stays so when it ends', async () => {
  const call = await saveCall();
  await report(call, 'initiated');
  expect(await readSend(call)).toEqual({ state: 'accepted', provider_id: call.callId, provider_status: 'initiated' });
  await report(call, 'in-progress');
  await answer(call, { AnsweredBy: 'unknown' });
  await report(call, 'completed');
  expect(await readSend(call)).toMatchObject({ provider_status: 'answered-by-person' });
  expect(reportsOf(call)).toEqual([]);
});

test('a call about a code that is not valid any more does not say the code', async () => {
  const call = await saveCall();
  await world.api.post(`${call.path}/voice/tokens/validate`, { body: { value: codeOf(call) } });
  const { body } = await answer(call, { AnsweredBy: 'human' });
  expect(spoken(body)).toEqual(['Este código não vale mais. Se ainda precisar, peça um novo. Até logo.']);
});

test('a call about a transaction that does not exist any more says that the code is not valid', async () => {
  const call = await saveCall();
  const target = { tenant: 'local', transactionId: '0198c5e2-7a10-7c3e-9b1f-2d4e6f8a0b1c', sendId: call.sendId };
  const path = callPath(world.api.dependencies.keys, target);
  expect(spoken((await answer({ ...call, callPath: path })).body)).toEqual([expect.stringContaining('não vale mais')]);
});

test.each(['', '/status'])(
  'a request of a call at …%s needs a valid address, a valid signature and the id of a call',
  async (end) => {
    const call = await saveCall();
    const form = { CallSid: call.callId, CallStatus: 'completed' };
    const forged = `${call.callPath.slice(0, -1)}${call.callPath.endsWith('A') ? 'B' : 'A'}${end}`;
    const path = `${call.callPath}${end}`;
    for (const response of [
      await world.sendTwilioRequest(forged, form),
      await world.sendTwilioRequest(path, form, 'wrong'),
      await world.sendTwilioRequest(path, form, ''),
    ])
      expect(response.body).toEqual(problemShape('invalid_signature', 403));
    const { body } = await world.sendTwilioRequest(path, { ...form, CallSid: `SM${'0'.repeat(32)}` });
    expect(body).toMatchObject({
      ...problemShape('validation_failed', 400),
      errors: { CallSid: [expect.any(String)] },
    });
    expect(reportsOf(call)).toEqual([]);
    expect(await readSend(call)).toMatchObject({ state: 'dispatching', provider_id: null });
  },
);
