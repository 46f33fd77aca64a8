import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import twilio from 'twilio';
import { startInbox } from '../../dev/inbox/start-inbox';
import type { NetworkTiming } from '../../dev/inbox/network-timing';

export const accountSid = `AC${'0'.repeat(31)}1`;
export const authToken = 'a-token-of-the-test';
export const sender = '+15551234567';
export const phone = '+5511987654321';

export interface ReceivedCallback {
  path: string;
  fields: Record<string, string>;
  /** Whether the signature is right. */
  isSigned: boolean;
}

/** A server that receives webhooks and checks their signatures as the API does. */
export async function startReceiver() {
  const received: ReceivedCallback[] = [];
  const plannedStatuses: number[] = [];
  const receive = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    const signature = String(request.headers['x-twilio-signature']);
    const isSigned = twilio.validateRequest(authToken, signature, `${url}${request.url}`, fields);
    received.push({ path: String(request.url), fields, isSigned });
    response.writeHead(plannedStatuses.shift() ?? 204).end();
  };
  const server = http.createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    received,
    /** The statuses of the next responses. Later responses have 204. */
    respondWith: (...statuses: number[]) => plannedStatuses.push(...statuses),
    readStatuses: (sid: string) =>
      received.filter(({ fields }) => fields['MessageSid'] === sid).map(({ fields }) => fields['MessageStatus']),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An inbox on free ports with short delays, a real Twilio client, and a receiver of webhooks. */
export async function openInboxWorld(options: { dataDir?: string; timing?: Partial<NetworkTiming> } = {}) {
  const receiver = await startReceiver();
  const log: string[] = [];
  const inbox = await startInbox(
    {
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      INBOX_PORT: 0,
      INBOX_HOST: '127.0.0.1',
      INBOX_SMTP_PORT: 0,
      INBOX_DATA_DIR: options.dataDir,
      INBOUND_WEBHOOK_URL: `${receiver.url}/webhooks/twilio/inbound`,
    },
    {
      timing: { sentAfterMs: 10, deliveredAfterMs: 25, retryPausesMs: [10, 20, 30, 40, 50], ...options.timing },
      log: (line) => log.push(line),
    },
  );
  const call = async (method: string, path: string, body?: unknown) => {
    const requestInit =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${inbox.url}/api/${path}`, { method, ...requestInit });
    const responseText = await response.text();
    return { status: response.status, body: responseText === '' ? undefined : (JSON.parse(responseText) as never) };
  };
  return {
    inbox,
    receiver,
    log,
    call,
    client: (token = authToken, timeoutMs = 5_000) => createTwilioClient(inbox.url, token, timeoutMs),
    messages: async (query = '') => (await call('GET', `messages?${query}`)).body as unknown as InboxMessage[],
    planFailures: (...failures: object[]) => call('PUT', 'faults', failures),
    async stop() {
      await inbox.stop();
      await receiver.stop();
    },
  };
}

export type InboxWorld = Awaited<ReturnType<typeof openInboxWorld>>;

/** A message as the inbox API documents it. */
export interface InboxMessage {
  id: string;
  channel: string;
  to: string;
  from: string;
  subject?: string;
  text: string;
  html?: string;
  links: string[];
  buttons?: { option: number; title: string }[];
  createdAt: string;
  status: string;
}

function createTwilioClient(url: string, token: string, timeoutMs: number) {
  class LocalRequests extends twilio.RequestClient {
    override request<TData>(options: Parameters<twilio.RequestClient['request']>[0]) {
      const uri = new URL(options.uri);
      return super.request<TData>({ ...options, uri: `${url}${uri.pathname}${uri.search}` } as never);
    }
  }
  return twilio(accountSid, token, { httpClient: new LocalRequests({ timeout: timeoutMs }) });
}

/** A WhatsApp template with two buttons. */
export function createQuestion(client: ReturnType<typeof createTwilioClient>) {
  return client.content.v1.contents.create({
    friendly_name: 'question',
    language: 'en',
    types: {
      'twilio/quick-reply': {
        body: 'Hello {{1}}, was it you?',
        actions: [
          { title: 'Yes', id: '{{2}}:1' },
          { title: 'No', id: '{{2}}:2' },
        ],
      },
    },
  } as never);
}

/** A template with a variable at the end of a link. */
export function createInvitation(client: ReturnType<typeof createTwilioClient>) {
  return client.content.v1.contents.create({
    friendly_name: 'invitation',
    language: 'en',
    variables: { 1: 'sample' },
    types: { 'twilio/text': { body: 'Open this page:\nhttps://a.example/biometrics/{{1}}\nIt is open for 24 h.' } },
  } as never);
}
