import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { sampleEvent, openNotifier, sampleSecret, secretFilledWith } from '../activities/webhooks/webhook-world';
import { openInboxWorld, type InboxWorld } from './inbox-world';

const unusedUrl = 'http://127.0.0.1:9';
const webhooks = JSON.stringify({
  acme: { url: unusedUrl, secret: sampleSecret },
  other: { url: unusedUrl, secret: secretFilledWith(2) },
});

let world: InboxWorld;
let dataDir: string;
beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'inbox-'));
  world = await openInboxWorld({ dataDir, webhooks, timing: { hangMs: 100 } });
});
afterEach(async () => {
  await world.stop();
  await fs.rm(dataDir, { recursive: true });
});

const createNotifier = () => {
  const webhookUrl = (tenant: string) => `${world.inbox.url}/webhooks/${tenant}`;
  return openNotifier(
    {
      acme: { url: webhookUrl('acme'), secret: sampleSecret },
      other: { url: webhookUrl('other'), secret: secretFilledWith(2) },
    },
    { timeoutMs: 2_000 },
  ).notifyCaller;
};

const readEvents = async (query = '') =>
  (await world.call('GET', `caller-events?${query}`)).body as unknown as { id: string; times: number }[];

/** Sends a webhook with a signature of `body`. Returns the status of the response. */
async function post(tenant: string, body: string, { key = sampleSecret, at = new Date(), sentBody = body } = {}) {
  const headers = {
    'webhook-id': 'of-the-test',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign('of-the-test', at, body),
  };
  return (await fetch(`${world.inbox.url}/webhooks/${tenant}`, { method: 'POST', headers, body: sentBody })).status;
}

const body = JSON.stringify({ type: 'a.b', timestamp: sampleEvent.at, data: {} });

describe('the inbox as the server of a caller', () => {
  it('shows verified events, newest first, by tenant and transaction', async () => {
    const notifyCaller = createNotifier();
    await notifyCaller(sampleEvent);
    await notifyCaller({ ...sampleEvent, id: 'second', type: 'step-up.ended' });
    await notifyCaller({ ...sampleEvent, id: 'third', tenant: 'other', transactionId: 'another' });
    const ids = async (query?: string) => (await readEvents(query)).map(({ id }) => id);
    expect(await ids()).toEqual(['third', 'second', sampleEvent.id]);
    expect(await ids('tenant=acme')).toEqual(['second', sampleEvent.id]);
    expect(await ids('transactionId=another')).toEqual(['third']);
    expect(await ids('tenant=acme&limit=1')).toEqual(['second']);
    expect((await readEvents('tenant=acme'))[1]).toEqual({
      id: sampleEvent.id,
      tenant: 'acme',
      type: 'step-up.started',
      timestamp: sampleEvent.at,
      data: { ...sampleEvent.data, transactionId: sampleEvent.transactionId },
      receivedAt: expect.any(String) as string,
      times: 1,
    });
  });

  it('rejects events with a wrong signature, an old timestamp, or another tenant', async () => {
    expect(await post('acme', body)).toBe(204);
    expect(await post('acme', body, { key: secretFilledWith(2) })).toBe(401);
    expect(await post('other', body)).toBe(401);
    expect(await post('acme', body, { sentBody: body.replace('a.b', 'a.c') })).toBe(401);
    expect(await post('acme', body, { at: new Date(Date.now() - 600_000) })).toBe(401);
    expect(await post('nobody', body)).toBe(404);
    expect(await post('acme', '{"type":1}')).toBe(400);
    expect((await fetch(`${world.inbox.url}/webhooks/acme`)).status).toBe(404);
    expect(await readEvents()).toHaveLength(1);
  });

  it('saves an event once, and counts how often it arrived', async () => {
    const notifyCaller = createNotifier();
    for (const kind of ['acceptThenDrop', 'acceptThenHang']) {
      await world.planFailures({ channel: 'webhook', kind });
      await expect(notifyCaller(sampleEvent)).rejects.toMatchObject({ type: 'WebhookUnavailable' });
    }
    expect(await notifyCaller(sampleEvent)).toEqual({ delivered: true });
    expect(await readEvents()).toMatchObject([{ id: sampleEvent.id, times: 3 }]);
  });

  it.each(['reset', 'timeout', 'status'])('saves nothing after the failure %s', async (kind) => {
    await world.planFailures({ channel: 'webhook', kind, ...(kind === 'status' ? { status: 500 } : {}) });
    await expect(createNotifier()(sampleEvent)).rejects.toMatchObject({ type: 'WebhookUnavailable' });
    expect(await readEvents()).toEqual([]);
    expect(await createNotifier()(sampleEvent)).toEqual({ delivered: true });
  });

  it('responds with the planned status, and has no delivery reports', async () => {
    await world.planFailures({ channel: 'webhook', kind: 'status', status: 410 });
    expect(await createNotifier()(sampleEvent)).toEqual({ delivered: false, reason: 'Refused' });
    expect((await world.planFailures({ channel: 'webhook', kind: 'undelivered' })).status).toBe(400);
  });

  it('still has the events after a restart', async () => {
    await createNotifier()(sampleEvent);
    await createNotifier()(sampleEvent);
    const eventsBefore = await readEvents();
    await world.stop();
    world = await openInboxWorld({ dataDir, webhooks });
    expect(await readEvents()).toEqual(eventsBefore);
    expect(eventsBefore).toMatchObject([{ times: 2 }]);
  });
});
