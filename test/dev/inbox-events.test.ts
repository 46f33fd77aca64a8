import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sampleEvent, sampleSecret, secretFilledWith, signWith } from '../activities/webhooks/webhook-world';
import { openInboxWorld, type InboxWorld } from './inbox-world';

const secrets = { acme: sampleSecret, other: secretFilledWith(2) };

let world: InboxWorld;
let dataDir: string;
beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'inbox-'));
  world = await openInboxWorld({ dataDir, timing: { hangMs: 100 } });
  for (const [tenant, secret] of Object.entries(secrets))
    await world.call('PUT', `webhook-secrets/${tenant}`, { secret });
});
afterEach(async () => {
  await world.stop();
  await fs.rm(dataDir, { recursive: true });
});

const readEvents = async (query = '') =>
  (await world.call('GET', `caller-events?${query}`)).body as unknown as { id: string; times: number }[];

interface PostOptions {
  tenant?: keyof typeof secrets | 'nobody';
  secret?: string;
  at?: Date;
  /** Sent in place of the signed body. */
  sentBody?: string;
}

/** Posts an event as the service does. Returns the status. */
async function post(event: object, { tenant = 'acme', secret, at = new Date(), sentBody }: PostOptions = {}) {
  const body = JSON.stringify(event);
  const key = secret ?? (tenant === 'other' ? secrets.other : secrets.acme);
  const request = { method: 'POST', headers: signWith(key, body, { at }), body: sentBody ?? body };
  return (await fetch(`${world.inbox.url}/webhooks/${tenant}`, request)).status;
}

describe('the inbox as the server of a caller', () => {
  it('the inbox shows verified events, newest first, by tenant and transaction', async () => {
    await post(sampleEvent);
    await post({ ...sampleEvent, id: 'second' });
    await post({ ...sampleEvent, id: 'third', transactionId: 'another' }, { tenant: 'other' });
    const ids = async (query?: string) => (await readEvents(query)).map(({ id }) => id);
    expect(await ids()).toEqual(['third', 'second', sampleEvent.id]);
    expect(await ids('tenant=acme')).toEqual(['second', sampleEvent.id]);
    expect(await ids('transactionId=another')).toEqual(['third']);
    expect(await ids('tenant=acme&limit=1')).toEqual(['second']);
    expect((await readEvents('tenant=acme'))[1]).toEqual({
      ...sampleEvent,
      tenant: 'acme',
      receivedAt: expect.any(String) as string,
      times: 1,
    });
  });

  it('the inbox accepts a test event, which belongs to no transaction', async () => {
    expect(await post({ id: 't', type: 'webhook.test', at: sampleEvent.at })).toBe(204);
    expect(await readEvents()).toMatchObject([{ id: 't', type: 'webhook.test' }]);
  });

  it('the inbox rejects events with a wrong signature, an old timestamp, or another tenant', async () => {
    expect(await post(sampleEvent)).toBe(204);
    expect(await post(sampleEvent, { secret: secrets.other })).toBe(401);
    expect(await post(sampleEvent, { tenant: 'other', secret: secrets.acme })).toBe(401);
    expect(await post(sampleEvent, { sentBody: '{}' })).toBe(401);
    expect(await post(sampleEvent, { at: new Date(Date.now() - 600_000) })).toBe(401);
    expect(await post(sampleEvent, { tenant: 'nobody' })).toBe(404);
    expect(await post({ type: 1 })).toBe(400);
    expect((await fetch(`${world.inbox.url}/webhooks/acme`)).status).toBe(404);
    expect(await readEvents()).toHaveLength(1);
  });

  it('the inbox saves an event once, and counts how often it arrived', async () => {
    for (const kind of ['acceptThenDrop', 'acceptThenHang']) {
      await world.planFailures({ channel: 'webhook', kind });
      await expect(post(sampleEvent)).rejects.toThrow('fetch failed');
    }
    expect(await post(sampleEvent)).toBe(204);
    expect(await readEvents()).toMatchObject([{ id: sampleEvent.id, times: 3 }]);
  });

  it.each(['reset', 'timeout'])('the inbox saves nothing after the failure %s', async (kind) => {
    await world.planFailures({ channel: 'webhook', kind });
    await expect(post(sampleEvent)).rejects.toThrow('fetch failed');
    expect(await readEvents()).toEqual([]);
    expect(await post(sampleEvent)).toBe(204);
  });

  it('the inbox responds with the planned status, and rejects the failure `undelivered`, which only messages can have', async () => {
    await world.planFailures({ channel: 'webhook', kind: 'status', status: 410 });
    expect(await post(sampleEvent)).toBe(410);
    expect(await readEvents()).toEqual([]);
    expect((await world.planFailures({ channel: 'webhook', kind: 'undelivered' })).status).toBe(400);
  });

  it('the inbox still has the events and the secrets after a restart', async () => {
    await post(sampleEvent);
    await post(sampleEvent);
    const eventsBefore = await readEvents();
    await world.stop();
    world = await openInboxWorld({ dataDir });
    expect(await readEvents()).toEqual(eventsBefore);
    expect(eventsBefore).toMatchObject([{ times: 2 }]);
    expect(await post({ ...sampleEvent, id: 'second' }, { tenant: 'other' })).toBe(204);
  });
});
