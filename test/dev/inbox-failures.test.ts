import { createTransport } from 'nodemailer';
import { openInboxWorld, phone, sender, type InboxWorld } from './inbox-world';
import { waitUntil } from '../support/wait-until';

let world: InboxWorld;
beforeEach(async () => {
  world = await openInboxWorld({ timing: { hangMs: 400 } });
});
afterEach(() => world.stop());

const send = () => world.client(undefined, 5_000).messages.create({ to: phone, from: sender, body: 'hello' });

async function sendMail(): Promise<unknown> {
  const transport = createTransport({ url: world.inbox.smtpUrl, socketTimeout: 3_000 });
  try {
    return await transport.sendMail({ from: 'a@example.com', to: 'ana@example.com', subject: 'x', text: 'hello' });
  } finally {
    transport.close();
  }
}

describe('injected provider failures', () => {
  it('a planned failure returns its status as often as planned', async () => {
    await world.planFailures({ channel: 'sms', kind: 'status', status: 503, times: 2 });
    await expect(send()).rejects.toMatchObject({ status: 503, code: 20500 });
    expect((await world.call('GET', 'faults')).body).toMatchObject([{ kind: 'status', times: 1 }]);
    await expect(send()).rejects.toMatchObject({ status: 503 });
    expect(await world.messages()).toHaveLength(0);
    expect((await send()).status).toBe('queued');
  });

  it('a planned failure has the planned error code', async () => {
    await world.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21211 });
    await expect(send()).rejects.toMatchObject({ status: 400, code: 21211 });
  });

  it('a planned failure affects only sends on its channel', async () => {
    await world.planFailures({ channel: 'whatsapp', kind: 'status', status: 500, times: 1 });
    expect((await send()).status).toBe('queued');
    expect(await world.client().messages.list()).toHaveLength(1);
  });

  it('the failure `reset` resets the connection and accepts nothing', async () => {
    await world.planFailures({ channel: 'sms', kind: 'reset' });
    await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await world.messages()).toHaveLength(0);
  });

  it('the failure `acceptThenDrop` accepts a message and loses the response', async () => {
    await world.planFailures({ channel: 'sms', kind: 'acceptThenDrop' });
    await expect(send()).rejects.toThrow('socket hang up');
    await waitUntil(async () => (await world.messages())[0]?.status === 'delivered');
    expect(await world.client().messages.list({ to: phone })).toHaveLength(1);
  });

  it.each([
    ['timeout', 0],
    ['acceptThenHang', 1],
  ])('after the failure %s, the sender gets no response, and the inbox has %i messages', async (kind, messageCount) => {
    await world.planFailures({ channel: 'sms', kind });
    // The inbox ends the request after a time, so it has read the request by then.
    await expect(send()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await world.messages()).toHaveLength(messageCount);
  });

  it('a hanging request ends when the failures are cleared, or else after a timeout', async () => {
    await world.planFailures({ channel: 'sms', kind: 'timeout', times: 2 });
    const hangingSend = send();
    await waitUntil(async () => (await world.call('GET', 'faults')).body?.[0]?.['times'] === 1);
    await world.call('DELETE', 'faults');
    await expect(hangingSend).rejects.toThrow('socket hang up');
    await world.planFailures({ channel: 'sms', kind: 'timeout' });
    await expect(send()).rejects.toThrow('socket hang up');
  });

  it('the failure `undelivered` reports a message as undelivered', async () => {
    await world.planFailures({ channel: 'sms', kind: 'undelivered' });
    const { sid } = await send();
    await waitUntil(async () => (await world.client().messages(sid).fetch()).status === 'undelivered');
    expect((await world.client().messages(sid).fetch()).errorCode).toBe(30003);
  });

  it('invalid failures are rejected', async () => {
    const response = await world.planFailures({ channel: 'pigeon', kind: 'status', times: 0 });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path: '0.channel' }, { path: '0.times' }] } });
    const withoutStatus = await world.planFailures({ channel: 'sms', kind: 'status' });
    const error = { path: '0.status', message: expect.stringContaining('is required') };
    expect(withoutStatus).toMatchObject({ status: 400, body: { errors: [error] } });
    expect((await world.call('GET', 'faults')).body).toEqual([]);
  });
});

describe('injected mail server failures', () => {
  it('the mail server returns the planned reply code', async () => {
    await world.planFailures(
      { channel: 'email', kind: 'status', status: 451 },
      { channel: 'email', kind: 'status', status: 550 },
    );
    await expect(sendMail()).rejects.toMatchObject({ responseCode: 451 });
    await expect(sendMail()).rejects.toMatchObject({ responseCode: 550 });
    expect(await world.messages()).toHaveLength(0);
    await sendMail();
    expect(await world.messages()).toHaveLength(1);
  });

  it.each([
    ['reset', 0],
    ['timeout', 0],
    ['acceptThenDrop', 1],
    ['acceptThenHang', 1],
  ])(
    'after the failure %s of the mail server, the sender gets no response, and the inbox has %i messages',
    async (kind, messageCount) => {
      await world.planFailures({ channel: 'email', kind });
      await expect(sendMail()).rejects.toThrow(/closed|ECONNRESET/);
      expect(await world.messages()).toHaveLength(messageCount);
    },
  );
});

it('a body that is too large gets a problem with status 413 and this reason', async () => {
  const failures = Array.from({ length: 2_000 }, () => ({ channel: 'sms', kind: 'reset', times: 1, code: 21_211 }));
  const response = await world.call('PUT', 'faults', failures);
  expect(response).toMatchObject({ status: 413, body: { status: 413, detail: 'The body is too large.' } });
});
