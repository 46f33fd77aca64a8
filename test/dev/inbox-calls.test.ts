import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import twilio from 'twilio';
import { sayCode } from '../../api/providers/call-script';
import { waitUntil } from '../support/wait-until';
import { authToken, type InboxWorld, openInboxWorld, phone, sender } from './inbox-world';

let world: InboxWorld;
let scripts: Awaited<ReturnType<typeof startScripts>>;
beforeAll(async () => {
  world = await openInboxWorld({ timing: { answeredAfterMs: 20, hungUpAfterMs: 60_000 } });
  scripts = await startScripts();
});
afterAll(async () => {
  await world.stop();
  await scripts.stop();
});
beforeEach(async () => {
  await world.call('PUT', 'calls', { answersAtOnce: false });
  await world.call('DELETE', 'messages');
});

/** A server that says what a call says, as the API does. Machines get nothing. */
async function startScripts() {
  const requests: Record<string, string>[] = [];
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse) => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    const signature = String(request.headers['x-twilio-signature']);
    if (!twilio.validateRequest(authToken, signature, `${url}${request.url}`, fields)) {
      response.writeHead(403).end();
      return;
    }
    requests.push(fields);
    const isMachine = fields['AnsweredBy'] !== 'human';
    const said = sayCode('en', 'Hello! Your code is: {{code}}. Bye & thanks.', '012345', `${url}/call?repeat=1&x=2`);
    response.end(isMachine ? '<Response><Hangup/></Response>' : said);
  };
  const server = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, stop: () => new Promise((resolve) => server.close(resolve)) };
}

const dial = (to = phone) =>
  world.client().calls.create({
    ...{ to, from: sender, url: `${scripts.url}/call`, machineDetection: 'Enable', timeout: 5 },
    statusCallback: `${world.receiver.url}/status`,
    statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
  });

const act = (id: string, action: string) => world.call('POST', `messages/${id}/call`, { action });
const statusesOf = (sid: string) =>
  world.receiver.received.filter(({ fields }) => fields['CallSid'] === sid).map(({ fields }) => fields['CallStatus']);
const waitForStatus = (sid: string, status: string) => waitUntil(async () => statusesOf(sid).includes(status));

it('by default, a person answers a call at once, and the inbox lists what the call said, with the code', async () => {
  await world.call('PUT', 'calls', { answersAtOnce: true });
  const { sid, status } = await dial();
  expect([sid, status]).toEqual([expect.stringMatching(/^CA[0-9a-f]{32}$/), 'queued']);
  await waitUntil(async () => (await world.messages('channel=voice'))[0]?.text !== '');
  const [call] = await world.messages(`channel=voice&to=${encodeURIComponent(phone)}`);
  expect(call).toMatchObject({ id: sid, to: phone, status: 'in-progress' });
  expect(call?.text).toBe('Hello! Your code is: 012345 Bye & thanks. To hear it again, press any key. Goodbye.');
  expect(scripts.requests.at(-1)).toMatchObject({ CallSid: sid, CallStatus: 'in-progress', AnsweredBy: 'human' });
  await act(sid, 'hangUp');
  await waitForStatus(sid, 'completed');
  expect(statusesOf(sid)).toEqual(['initiated', 'ringing', 'in-progress', 'completed']);
  expect(world.receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
});

it.each([
  ['decline', 'busy'],
  ['ignore', 'no-answer'],
])('a person who chooses %s hears nothing, and the call is %s', async (action, status) => {
  const { sid } = await dial();
  expect((await act(sid, action)).status).toBe(200);
  await waitForStatus(sid, status);
  expect((await world.messages('channel=voice'))[0]).toMatchObject({ text: '', status });
  expect((await act(sid, 'answer')).status).toBe(409);
});

it('an answering machine is told nothing if the sender hangs up', async () => {
  const { sid } = await dial();
  await act(sid, 'machine');
  await waitForStatus(sid, 'completed');
  expect((await world.messages('channel=voice'))[0]).toMatchObject({ text: '', status: 'completed' });
  expect((await world.client().calls.list({ to: phone }))[0]).toMatchObject({ sid, answeredBy: 'machine_start' });
});

it('a key asks the sender again, at the address that it gave', async () => {
  const { sid } = await dial();
  expect((await act(sid, 'press')).status).toBe(409);
  await act(sid, 'answer');
  expect((await act(sid, 'press')).status).toBe(200);
  expect(scripts.requests.at(-1)).toMatchObject({ CallSid: sid, Digits: '1' });
  expect((await world.messages('channel=voice'))[0]?.text.match(/012345/g)).toHaveLength(2);
});

it('a call that nobody answers ends, and a planned failure has the same end', async () => {
  await world.call('PUT', 'calls', { answersAtOnce: true });
  await world.planFailures({ channel: 'voice', kind: 'undelivered' });
  const { sid } = await dial();
  await waitForStatus(sid, 'no-answer');
  expect(await world.client().calls.list({ to: phone, from: sender })).toMatchObject([{ sid, status: 'no-answer' }]);
  expect(await world.client().calls.list({ to: '+5521987654321' })).toEqual([]);
});

it('the inbox rejects a call without a valid sender or receiver, as Twilio does', async () => {
  await expect(dial('nobody')).rejects.toMatchObject({ code: 21_211 });
  const call = { to: phone, from: 'Acme', url: `${scripts.url}/call` };
  await expect(world.client().calls.create(call)).rejects.toMatchObject({ code: 21_212 });
});
