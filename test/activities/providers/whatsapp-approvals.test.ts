import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import pino from 'pino';
import { openTwilio, type TwilioClient } from '../../../activities/providers/twilio-client';
import { watchApprovals } from '../../../activities/providers/watch-approvals';
import { WhatsappApprovals } from '../../../activities/providers/whatsapp-approvals';
import { WhatsappTemplates } from '../../../activities/providers/whatsapp-templates';
import type { Inbox } from '../../../dev/inbox/start-inbox';
import { waitUntil } from '../../support/wait-until';
import { account, newDecisionMessage, startTestInbox } from '../messages/delivery-world';

const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = account;

let inbox: Inbox;
let client: TwilioClient;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  inbox = await startTestInbox();
  client = openTwilio({ accountSid, authToken, baseUrl: inbox.url });
  lines = [];
});
afterEach(async () => {
  await inbox.stop();
});

const logger = pino(
  new Writable({
    write: (chunk: Buffer, _, done) => done(void lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)),
  }),
);
const errors = () => lines.filter(({ level }) => level === 50);

const openApprovals = () => new WhatsappApprovals({ provider: 'twilio', client, logger });

/** A WhatsApp message with a text, and so a template, of its own. */
const newText = (body: string) => {
  const { message: _, destination, settings, language, ...rest } = newDecisionMessage('whatsapp');
  return {
    ...{ ...rest, destination, settings, language, text: body },
    content: { kind: 'biometricsResult' as const },
  };
};

/** Creates the template of a message, with an approval that was requested. */
async function createTemplate(approvals: WhatsappApprovals, body: string) {
  const request = jest.spyOn(approvals, 'request');
  await new WhatsappTemplates(client, approvals).find(newText(body));
  await Promise.all(request.mock.results.map(({ value }) => value as Promise<void>));
  request.mockRestore();
}

const planRejections = (times: number) =>
  fetch(`${inbox.url}/api/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ channel: 'template', kind: 'rejected', times }]),
  });

/** A template as a worker of a release that asked for no approvals created it, or as another service of the account. */
const createUnsubmitted = (friendlyName: string, types: object = { 'twilio/text': { body: 'hello' } }) =>
  client.content.v1.contents.create({ friendly_name: friendlyName, language: 'en', types } as never);

const approvalsOfAccount = async () =>
  (await client.content.v1.contentAndApprovals.list()).map(({ friendlyName, approvalRequests }) => ({
    friendlyName,
    ...approvalRequests,
  }));

it('the approval of a new template is requested, with a name that WhatsApp allows', async () => {
  const approvals = openApprovals();
  await createTemplate(approvals, 'Your images were accepted.');
  const [template] = await approvalsOfAccount();
  expect(template).toMatchObject({
    name: expect.stringMatching(/^biometrics_decision_pt_br_[0-9a-f]{12}_[0-9a-f]{6}$/) as unknown,
    category: 'UTILITY',
    status: 'approved',
  });
  await approvals.check();
  expect(approvals.counts).toMatchObject({ approved: 1, rejected: 0, unsubmitted: 0 });
  expect(lines).toEqual([]);
});

it('two workers that create the same template get two approvals', async () => {
  for (const approvals of [openApprovals(), openApprovals()]) {
    const list = jest.spyOn(client.content.v1.contents, 'list').mockResolvedValue([]);
    await createTemplate(approvals, 'Your images were accepted.');
    list.mockRestore();
  }
  const found = await approvalsOfAccount();
  expect(found).toMatchObject([{ status: 'approved' }, { status: 'approved' }]);
});

it('a check asks for approvals that nobody has asked for, and leaves templates of other services alone', async () => {
  const code = { 'whatsapp/authentication': { actions: [{ type: 'COPY_CODE', copy_code_text: 'Copy' }] } };
  await createUnsubmitted('whatsapp-token_en_0123456789ab', code);
  await createUnsubmitted('newsletter_en');
  const approvals = openApprovals();
  await approvals.check();
  expect(approvals.counts).toMatchObject({ unsubmitted: 1, approved: 0 });
  await approvals.check();
  expect(approvals.counts).toMatchObject({ unsubmitted: 0, approved: 1 });
  expect(await approvalsOfAccount()).toMatchObject([
    { friendlyName: 'whatsapp-token_en_0123456789ab', category: 'AUTHENTICATION', status: 'approved' },
    { friendlyName: 'newsletter_en', status: 'unsubmitted' },
  ]);
});

it('a check asks for few approvals, and first for those for which it has not asked', async () => {
  for (let count = 0; count < 20; count += 1)
    await createUnsubmitted(`x_en_0123456789${String(count).padStart(2, '0')}`);
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    // Twilio refuses all requests for approval.
    if (request.method === 'POST') {
      asked.push(request.url ?? '');
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"code":20001,"status":400}');
      return;
    }
    void fetch(`${inbox.url}${request.url}`, { headers: { authorization: request.headers.authorization ?? '' } })
      .then((answer) => answer.text())
      .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const refusing = openTwilio({ accountSid, authToken, baseUrl });
    const approvals = new WhatsappApprovals({ provider: 'twilio', client: refusing, logger });
    await approvals.check();
    expect(new Set(asked).size).toBe(15);
    await approvals.check();
    expect(new Set(asked).size).toBe(20);
    expect(asked).toHaveLength(30);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('the log names a rejected template once, and the counts have it as long as it is rejected', async () => {
  const approvals = openApprovals();
  await planRejections(1);
  await createTemplate(approvals, 'A text that WhatsApp rejects.');
  await createTemplate(approvals, 'A text that WhatsApp approves.');
  await approvals.check();
  await approvals.check();
  expect(approvals.counts).toMatchObject({ approved: 1, rejected: 1 });
  expect(errors()).toEqual([
    expect.objectContaining({
      provider: 'twilio',
      template: expect.stringMatching(/^biometrics-decision_pt_BR_[0-9a-f]{12}$/) as unknown,
      status: 'rejected',
      reason: 'INVALID_FORMAT',
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('A text');
});

it('the watch checks every 10 minutes, and soon after a new template', async () => {
  const approvals = openApprovals();
  const check = jest.spyOn(approvals, 'check');
  const clock = jest.spyOn(Date, 'now');
  const watch = watchApprovals({ approvals: [approvals], logger });
  try {
    let now = 1_800_000_000_000;
    clock.mockImplementation(() => now);
    const checksAfter = async (seconds: number) => {
      now += seconds * 1_000;
      await watch.run();
      return check.mock.calls.length;
    };
    expect(await checksAfter(0)).toBe(1);
    expect(await checksAfter(599)).toBe(1);
    expect(await checksAfter(1)).toBe(2);
    await createTemplate(approvals, 'A new text.');
    expect(await checksAfter(29)).toBe(2);
    expect(await checksAfter(1)).toBe(3);
    expect(await checksAfter(599)).toBe(3);
  } finally {
    watch.stop();
    clock.mockRestore();
  }
});

it('a check that fails keeps the counts, and the next one follows at its time', async () => {
  const approvals = openApprovals();
  await createTemplate(approvals, 'A text.');
  await approvals.check();
  await inbox.stop();
  const watch = watchApprovals({ approvals: [approvals], logger });
  try {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 600_000);
    await watch.run();
    clock.mockRestore();
  } finally {
    watch.stop();
  }
  await waitUntil(async () => lines.length > 0);
  expect(lines).toEqual([expect.objectContaining({ level: 40, provider: 'twilio' })]);
  expect(approvals.counts).toMatchObject({ approved: 1 });
});
