import type http from 'node:http';
import { ApplicationFailure } from '@temporalio/common';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../../activities/webhooks/sign-webhook';
import {
  sampleEvent,
  openNotifier,
  type ReceivedRequest,
  sampleSecret,
  secretFilledWith,
  startCaller,
} from './webhook-world';

let caller: Awaited<ReturnType<typeof startCaller>> | undefined;
afterEach(async () => {
  await caller?.stop();
  caller = undefined;
});

/** Starts a server with this listener, and an activity that has its address. */
async function openWithServer(listener?: http.RequestListener, { timeoutMs = 20_000, changes = {} } = {}) {
  caller = await startCaller(listener);
  return { caller, ...openNotifier({ acme: { url: caller.url, secret: sampleSecret, ...changes } }, { timeoutMs }) };
}

const emptyRequest: ReceivedRequest = { method: '', path: '', headers: {}, body: '' };

const respondWithStatus =
  (code: number, headers = {}): http.RequestListener =>
  (_, response) =>
    void response.writeHead(code, headers).end();

const failureOf = (attempt: Promise<unknown>): Promise<ApplicationFailure> =>
  attempt.then(
    () => {
      throw new Error('The attempt succeeded.');
    },
    (error: unknown) => error as ApplicationFailure,
  );

describe('an event', () => {
  it('is posted as JSON with a signature that the library of the specification verifies', async () => {
    const { caller: server, notifyCaller } = await openWithServer();
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
    const [{ method, path, headers, body } = emptyRequest] = server.received;
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hooks', 'application/json']);
    expect(headers['webhook-id']).toBe(sampleEvent.id);
    const { transactionId } = sampleEvent;
    const expected = {
      type: 'step-up.started',
      timestamp: sampleEvent.at,
      data: { flow: 'step-up', sends: 2, outcome: null, transactionId },
    };
    expect(new Webhook(sampleSecret).verify(body, headers)).toEqual(expected);
    expect(() => new Webhook(secretFilledWith(9)).verify(body, headers)).toThrow('No matching signature found');
    expect(() => new Webhook(sampleSecret).verify(body.replace('started', 'ended'), headers)).toThrow(
      'No matching signature',
    );
  });

  it('has the id of its transaction', async () => {
    const { caller: server, notifyCaller } = await openWithServer();
    await notifyCaller({ ...sampleEvent, data: { transactionId: 'another' } });
    expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({
      data: { transactionId: sampleEvent.transactionId },
    });
  });

  it('is signed with both secrets during a rotation', async () => {
    const { caller: server, notifyCaller } = await openWithServer(undefined, {
      changes: { secret: [secretFilledWith(2), sampleSecret] },
    });
    await notifyCaller(sampleEvent);
    const { headers, body } = server.received[0] ?? emptyRequest;
    for (const rotatedSecret of [secretFilledWith(2), sampleSecret])
      expect(new Webhook(rotatedSecret).verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(secretFilledWith(9)).verify(body, headers)).toThrow('No matching signature found');
  });

  it('has the same id and a new signature when repeated', async () => {
    const body = '{"type":"step-up.started"}';
    const signAt = (minutes: number) =>
      signWebhook({ id: sampleEvent.id, body }, [Buffer.alloc(32, 1)], new Date(Date.now() + minutes * 60_000));
    const [firstHeaders, secondHeaders] = [signAt(-4), signAt(4)];
    expect(secondHeaders['webhook-id']).toBe(firstHeaders['webhook-id']);
    expect(secondHeaders['webhook-signature']).not.toBe(firstHeaders['webhook-signature']);
    for (const headers of [firstHeaders, secondHeaders])
      expect(new Webhook(sampleSecret).verify(body, headers)).toBeTruthy();
    expect(() => new Webhook(sampleSecret).verify(body, { ...firstHeaders, ...signAt(-6) })).toThrow(
      'Message timestamp too old',
    );
  });
});

describe('the recipient of events', () => {
  it.each<[string, object, string]>([
    ['has no webhook', { other: { url: 'http://127.0.0.1:9', secret: sampleSecret } }, 'step-up.started'],
    [
      'subscribed to other types',
      { acme: { url: 'http://127.0.0.1:9', secret: sampleSecret, events: ['sign-up.*'] } },
      'step-up.started',
    ],
    [
      'subscribed to types with another first part',
      { acme: { url: 'http://127.0.0.1:9', secret: sampleSecret, events: ['step.*'] } },
      'step-up.started',
    ],
    [
      'subscribed to the first part of the type, without .*',
      { acme: { url: 'http://127.0.0.1:9', secret: sampleSecret, events: ['step-up'] } },
      'step-up.started',
    ],
  ])('does not exist if the tenant %s', async (_, webhooks, type) => {
    const { notifyCaller } = openNotifier(webhooks);
    expect(await notifyCaller({ ...sampleEvent, type })).toEqual({ delivered: false, reason: 'NoWebhook' });
  });

  it.each([[['step-up.*']], [['sign-up.done', 'step-up.started']], [['*']]])(
    'gets the event if it subscribed to %j',
    async (events) => {
      const { notifyCaller } = await openWithServer(undefined, { changes: { events } });
      expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
    },
  );

  it('is the default webhook for a tenant without an entry', async () => {
    caller = await startCaller();
    const { notifyCaller } = openNotifier({ default: { url: caller.url, secret: sampleSecret } });
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
  });
});

describe('a response', () => {
  it.each([200, 201, 202, 204])('of %i accepts the event', async (code) => {
    const { notifyCaller } = await openWithServer(respondWithStatus(code));
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
  });

  it.each([304, 400, 401, 404, 410, 422])('of %i rejects it without a retry', async (code) => {
    const { notifyCaller, log } = await openWithServer(respondWithStatus(code));
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: false, reason: 'Refused' });
    expect(log.join()).toContain(`"reason":${code}`);
  });

  it.each([301, 302, 307, 308])('of %i is not followed', async (code) => {
    const { caller: server, notifyCaller } = await openWithServer((request, response) =>
      respondWithStatus(code, { location: `${caller?.url}/elsewhere` })(request, response),
    );
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: false, reason: 'Refused' });
    expect(server.received).toHaveLength(1);
  });

  it.each([408, 425, 429, 500, 502, 503, 504])('of %i causes a retry', async (code) => {
    const { notifyCaller } = await openWithServer(respondWithStatus(code));
    const failure = await failureOf(notifyCaller(sampleEvent));
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'WebhookUnavailable', nonRetryable: false });
    expect(failure.nextRetryDelay).toBeUndefined();
    expect(failure.message).toContain(String(code));
  });

  it.each([
    ['120', 120_000],
    ['0', undefined],
    ['99999', 3_600_000],
    ['Fri, 31 Dec 2027 23:59:59 GMT', undefined],
    ['-1', undefined],
  ])('can delay the next attempt: Retry-After %s', async (retryAfter, delay) => {
    const { notifyCaller } = await openWithServer(respondWithStatus(503, { 'retry-after': retryAfter }));
    expect((await failureOf(notifyCaller(sampleEvent))).nextRetryDelay).toBe(delay);
  });

  it('is not read to its end if it is long', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    let sentBytes = 0;
    const sendEndlessly = (response: http.ServerResponse): void => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      if (!response.destroyed) response.once('drain', () => sendEndlessly(response));
    };
    let resolveClosed = (): void => undefined;
    const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
    const { notifyCaller } = await openWithServer((_, response) => {
      response.once('close', resolveClosed).writeHead(200);
      sendEndlessly(response);
    });
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
    await closed;
    // What the server could write: the part that was read, and the buffers of the sockets.
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
  });

  it.each<[string, http.RequestListener]>([
    ['never arrives', () => undefined],
    ['starts with half a line', ({ socket }) => void socket.write('HTTP/1.1 20')],
    [
      'changes the protocol',
      ({ socket }) => void socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
  ])('that %s ends at the deadline', async (_, listener) => {
    const { notifyCaller } = await openWithServer(listener, { timeoutMs: 200 });
    const failure = await failureOf(notifyCaller(sampleEvent));
    expect(failure).toMatchObject({ type: 'WebhookUnavailable', nonRetryable: false });
    expect(failure.message).toContain('timeout');
  });

  it('that is incomplete still counts', async () => {
    const { notifyCaller } = await openWithServer((_, response) => void response.writeHead(200).write('{'), {
      timeoutMs: 200,
    });
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
  });

  it.each<[string, http.RequestListener]>([
    ['is a broken connection', ({ socket }) => void socket.resetAndDestroy()],
    ['is a closed connection', ({ socket }) => void socket.end()],
    ['is not HTTP', ({ socket }) => void socket.end('SSH-2.0-OpenSSH\r\n')],
    [
      'has a header without end',
      (_, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(100_000) }).end(),
    ],
  ])('that %s causes a retry', async (_, listener) => {
    const { notifyCaller } = await openWithServer(listener);
    const failure = await failureOf(notifyCaller(sampleEvent));
    expect(failure).toMatchObject({ type: 'WebhookUnavailable', nonRetryable: false });
    expect(failure.message).toContain('unreachable');
  });
});

it('a server that is down causes a retry', async () => {
  const { caller: server, notifyCaller } = await openWithServer();
  await server.stop();
  caller = undefined;
  expect(await failureOf(notifyCaller(sampleEvent))).toMatchObject({ type: 'WebhookUnavailable', nonRetryable: false });
});

it.each([
  [204, 'webhook delivered'],
  [400, 'the webhook rejected an event'],
])('the log of a response of %i has the run, its flow and the step', async (code, msg) => {
  const { notifyCaller, log } = await openWithServer(respondWithStatus(code));
  const run = { runId: 'run-1', flow: 'step-up', version: 3, step: 'tell' };
  await notifyCaller({ ...sampleEvent, data: run });
  const { transactionId } = sampleEvent;
  expect(log.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg, transactionId, ...run }),
  ]);
});

it('neither log nor error contains the query of the address, the secret or the content of the event', async () => {
  const codes = [204, 400, 500];
  caller = await startCaller((request, response) => respondWithStatus(codes.shift() ?? 204)(request, response));
  const { notifyCaller, log } = openNotifier({ acme: { url: `${caller.url}?key=of-acme`, secret: sampleSecret } });
  const failures = [];
  for (const callerEvent of [sampleEvent, sampleEvent, sampleEvent])
    failures.push(
      await notifyCaller({ ...callerEvent, data: { said: 'a-word' } }).catch((error: unknown) => String(error)),
    );
  expect(caller.received.map(({ path }) => path)).toEqual(Array(3).fill('/hooks?key=of-acme'));
  const logAndErrors = log.join() + JSON.stringify(failures);
  expect(logAndErrors).toContain('/hooks');
  for (const text of ['of-acme', sampleSecret, sampleSecret.slice(6), 'a-word'])
    expect(logAndErrors).not.toContain(text);
});
