import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createQuestion, openWorld, phone, sender, waitUntil } from './inbox-world';

let dataDir: string;
beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'inbox-'));
});
afterEach(() => fs.rm(dataDir, { recursive: true }));

const file = () => path.join(dataDir, 'inbox.ndjson');

describe('a restarted inbox', () => {
  it('still has its messages, their states and its templates', async () => {
    const before = await openWorld({ dataDir });
    const { sid: contentSid } = await createQuestion(before.client());
    await before.client().messages.create({ to: phone, from: sender, body: 'first' });
    const { sid } = await before.client().messages.create({ to: phone, from: sender, body: 'second' });
    await waitUntil(async () => (await before.messages()).every(({ status }) => status === 'delivered'));
    await before.call('POST', `messages/${sid}/reply`, { text: 'answer' });
    const all = await before.messages('direction=all');
    await before.stop();

    const after = await openWorld({ dataDir });
    expect(await after.messages('direction=all')).toEqual(all);
    expect((await after.client().content.v1.contents(contentSid).fetch()).sid).toBe(contentSid);
    await after.stop();
  });

  it('delivers the messages that it had accepted', async () => {
    const before = await openWorld({ dataDir, timing: { sentAfterMs: 60_000, deliveredAfterMs: 60_000 } });
    const { sid } = await before.client().messages.create({ to: phone, from: sender, body: 'hello' });
    await before.stop();
    const after = await openWorld({ dataDir });
    await waitUntil(async () => (await after.client().messages(sid).fetch()).status === 'delivered');
    await after.stop();
  });

  it('skips a line that a crash cut off, and appends correctly', async () => {
    const before = await openWorld({ dataDir });
    await before.client().messages.create({ to: phone, from: sender, body: 'whole' });
    await before.stop();
    await fs.appendFile(file(), '{"op":"message","message":{"id":"SMcut');

    const after = await openWorld({ dataDir });
    expect((await after.messages()).map(({ text }) => text)).toEqual(['whole']);
    await after.client().messages.create({ to: phone, from: sender, body: 'next' });
    await after.stop();
    const again = await openWorld({ dataDir });
    expect((await again.messages()).map(({ text }) => text)).toEqual(['next', 'whole']);
    await again.stop();
  });

  it('stays empty after everything was deleted', async () => {
    const before = await openWorld({ dataDir });
    await before.client().messages.create({ to: phone, from: sender, body: 'gone' });
    await before.call('DELETE', 'messages');
    await before.stop();
    const after = await openWorld({ dataDir });
    expect(await after.messages()).toEqual([]);
    await after.stop();
  });
});

it('keeps the newest 20,000 messages and no more', async () => {
  const message = { channel: 'sms', direction: 'outbound', to: phone, from: sender, text: 'x', status: 'delivered' };
  const at = new Date().toISOString();
  const lines = Array.from({ length: 20_005 }, (_, index) =>
    JSON.stringify({ op: 'message', message: { ...message, id: `SM${index}`, createdAt: at, updatedAt: at } }),
  );
  await fs.writeFile(file(), `${lines.join('\n')}\n`);
  const world = await openWorld({ dataDir });
  const messages = await world.messages();
  expect(messages).toHaveLength(20_000);
  expect(messages.at(-1)?.id).toBe('SM5');
  await world.stop();
});
