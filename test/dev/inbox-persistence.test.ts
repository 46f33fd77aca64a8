import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppendLog } from '../../dev/inbox/append-log';
import { authToken, createQuestion, type InboxWorld, openInboxWorld, phone, sender } from './inbox-world';
import { waitUntil } from '../support/wait-until';

let dataDir: string;
beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'inbox-'));
});
afterEach(() => fs.rm(dataDir, { recursive: true }));

const dataFile = () => path.join(dataDir, 'inbox.ndjson');

describe('a restarted inbox', () => {
  it('a restarted inbox still has its messages, their states and its templates', async () => {
    const firstWorld = await openInboxWorld({ dataDir });
    const { sid: contentSid } = await createQuestion(firstWorld.client());
    await firstWorld.client().messages.create({ to: phone, from: sender, body: 'first' });
    const { sid } = await firstWorld.client().messages.create({ to: phone, from: sender, body: 'second' });
    await waitUntil(async () => (await firstWorld.messages()).every(({ status }) => status === 'delivered'));
    await firstWorld.call('POST', `messages/${sid}/reply`, { text: 'answer' });
    const messagesBefore = await firstWorld.messages('direction=all');
    await firstWorld.stop();

    const secondWorld = await openInboxWorld({ dataDir });
    expect(await secondWorld.messages('direction=all')).toEqual(messagesBefore);
    expect((await secondWorld.client().content.v1.contents(contentSid).fetch()).sid).toBe(contentSid);
    await secondWorld.stop();
  });

  it('a restarted inbox still has the planned failures that were not used', async () => {
    const firstWorld = await openInboxWorld({ dataDir });
    await firstWorld.planFailures(
      { channel: 'sms', kind: 'status', status: 500, times: 3 },
      { channel: 'email', kind: 'reset' },
    );
    const send = (world: InboxWorld) =>
      world.client().messages.create({ to: phone, from: sender, body: 'x' }) as Promise<unknown>;
    await expect(send(firstWorld)).rejects.toMatchObject({ status: 500 });
    await firstWorld.stop();

    const secondWorld = await openInboxWorld({ dataDir });
    expect((await secondWorld.call('GET', 'faults')).body).toEqual([
      { channel: 'sms', kind: 'status', status: 500, times: 2 },
      { channel: 'email', kind: 'reset', times: 1 },
    ]);
    await expect(send(secondWorld)).rejects.toMatchObject({ status: 500 });
    await secondWorld.call('DELETE', 'faults');
    await secondWorld.stop();

    const thirdWorld = await openInboxWorld({ dataDir });
    expect((await thirdWorld.call('GET', 'faults')).body).toEqual([]);
    await thirdWorld.stop();
  });

  it('a restarted inbox delivers the messages that it accepted before the restart', async () => {
    const firstWorld = await openInboxWorld({ dataDir, timing: { sentAfterMs: 60_000, deliveredAfterMs: 60_000 } });
    const { sid } = await firstWorld.client().messages.create({ to: phone, from: sender, body: 'hello' });
    await firstWorld.stop();
    const secondWorld = await openInboxWorld({ dataDir });
    await waitUntil(async () => (await secondWorld.client().messages(sid).fetch()).status === 'delivered');
    await secondWorld.stop();
  });

  it('a restarted inbox skips a line that a crash cut off, and appends correctly', async () => {
    const firstWorld = await openInboxWorld({ dataDir });
    await firstWorld.client().messages.create({ to: phone, from: sender, body: 'whole' });
    await firstWorld.stop();
    expect(await fs.readFile(dataFile(), 'utf8')).not.toContain('whole');
    await fs.appendFile(dataFile(), 'AYqXbnJ1bm5pbmc');

    const secondWorld = await openInboxWorld({ dataDir });
    expect((await secondWorld.messages()).map(({ text }) => text)).toEqual(['whole']);
    await secondWorld.client().messages.create({ to: phone, from: sender, body: 'next' });
    await secondWorld.stop();
    const thirdWorld = await openInboxWorld({ dataDir });
    expect((await thirdWorld.messages()).map(({ text }) => text)).toEqual(['next', 'whole']);
    await thirdWorld.stop();
  });

  it('a restarted inbox stays empty after everything was deleted', async () => {
    const firstWorld = await openInboxWorld({ dataDir });
    await firstWorld.client().messages.create({ to: phone, from: sender, body: 'gone' });
    await firstWorld.call('DELETE', 'messages');
    await firstWorld.stop();
    const secondWorld = await openInboxWorld({ dataDir });
    expect(await secondWorld.messages()).toEqual([]);
    await secondWorld.stop();
  });
});

it('an inbox keeps the newest 20,000 messages and no more', async () => {
  const message = {
    channel: 'sms',
    direction: 'outbound',
    to: phone,
    from: sender,
    text: 'x',
    status: 'delivered',
  } as const;
  const at = new Date().toISOString();
  const log = new AppendLog(dataDir, authToken, () => []);
  log.open();
  for (let index = 0; index < 20_005; index += 1)
    log.append({ op: 'message', message: { ...message, id: `SM${index}`, createdAt: at, updatedAt: at } });
  log.close();
  const world = await openInboxWorld({ dataDir });
  const messages = await world.messages();
  expect(messages).toHaveLength(20_000);
  expect(messages.at(-1)?.id).toBe('SM5');
  await world.stop();
});
