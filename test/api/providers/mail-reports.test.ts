import { randomUUID } from 'node:crypto';
import { runMailReports } from '../../../api/providers/mail-reports.cli';
import { hashDestination } from '../../../messages/codes';
import { gatewayReportPath, mailReportPath } from '../../../messages/links';
import { openKeys } from '../../../platform/keys/root-secret';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { reserveSend } from '../../../store/messages/sends/reserve-send.sql';
import { bounces, complaint } from '../../support/mail-reports';
import { startPostgres } from '../../support/postgres';
import { problemShape } from '../api-world';
import { TwilioWorld } from './twilio-world';

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.open();
});
beforeEach(async () => {
  await world.pool.query('delete from mail_stops; delete from opt_out_releases; delete from audit_log');
  world.transactions.reportedDeliveryStatuses.length = 0;
});
afterAll(() => world.close());

const recipient = 'anna@example.com';
const destinationOf = (email = recipient) => hashDestination(world.api.dependencies.keys, email);

/** Saves a mail that the mail server has accepted. Returns its Message-ID. */
async function saveMail(email = recipient): Promise<{ sendId: string; original: string }> {
  const sendId = randomUUID();
  const original = `<${sendId}@countersign.local>`;
  await world.pool.query(
    `insert into sends (send_id, tenant, transaction_id, confirmation_or_link_id, settings_name, channel, kind, destination, state,
       provider_id, expires_at)
     values ($1, 'local', $2, 'c', 'email-token', 'email', 'token', $3, 'accepted', $4, now() + interval '30 minutes')`,
    [sendId, randomUUID(), destinationOf(email), original],
  );
  return { sendId, original };
}

const post = (mail: Buffer, path = mailReportPath(world.api.dependencies.keys)) =>
  world.api.post(path, { token: null, rawBody: mail.toString(), headers: { 'content-type': 'message/rfc822' } });

const readStops = async () => (await world.pool.query('select destination, reason, code from mail_stops')).rows;

const limits = {
  destination: { perTenant: 100, total: 1_000, guaranteed: 2, windowMs: 60_000 },
  daily: [],
  lowAnswerRate: { messages: 20, rate: 0, blockHours: 12 },
};

/** Reserves a mail, as each mail is before it is sent. */
const reserve = (tenant: string, sendId: string = randomUUID(), claimedBy?: string) =>
  reserveSend(
    world.pool,
    {
      ...{ sendId, tenant, transactionId: randomUUID(), confirmationOrLinkId: 'c', settingsName: 's' },
      ...{ channel: 'email', kind: 'token', destination: destinationOf(), expiresAt: '2099-01-01T00:00:00.000Z' },
    },
    limits,
    claimedBy,
  );

const optOuts = (action: 'search' | 'release', token?: string) =>
  world.api.post(`/v1/opt-outs/${action}`, {
    body: { channel: 'email', email: recipient, ...(action === 'release' && { reason: 'the mailbox works again' }) },
    ...(token && { token }),
  });

test('a bounce reaches its transaction, and stops mails of all tenants to the mailbox', async () => {
  const { sendId, original } = await saveMail();
  expect((await post(bounces.postfix({ original }))).status).toBe(204);
  expect(await readStops()).toEqual([{ destination: destinationOf(), reason: 'bounced', code: '5.1.1' }]);
  expect(world.transactions.reportedDeliveryStatuses).toEqual([{ sendId, status: 'failed', code: '5.1.1' }]);
  for (const tenant of ['local', 'other']) expect(await reserve(tenant)).toEqual({ reason: 'stopped', code: '5.1.1' });
});

test('a mail that waits for its provider is not sent any more', async () => {
  const { original } = await saveMail();
  const waiting = randomUUID();
  expect(await reserve('local', waiting)).toMatchObject({ row: { state: 'intent' } });
  await post(bounces.gmail({ original }));
  const again = await reserve('local', waiting, 'mail');
  expect(again).toMatchObject({ stopCode: '5.1.1', isOptedOut: true });
  expect(again).not.toHaveProperty('claim');
});

test('a complaint stops the mailbox, and the mail stays delivered', async () => {
  const { original } = await saveMail();
  expect((await post(complaint({ original }))).status).toBe(204);
  expect(await readStops()).toEqual([{ destination: destinationOf(), reason: 'complained', code: 'abuse' }]);
  expect(world.transactions.reportedDeliveryStatuses).toEqual([]);
});

test.each([
  ['5.2.2', 'a full mailbox'],
  ['5.7.1', 'a policy'],
])('a bounce with %s (%s) fails the mail, and stops nothing', async (status) => {
  const { sendId, original } = await saveMail();
  await post(bounces.postfix({ original, status }));
  expect(world.transactions.reportedDeliveryStatuses).toEqual([{ sendId, status: 'failed', code: status }]);
  expect(await readStops()).toEqual([]);
});

test('a bounce of the mailbox to which a mail was forwarded stops nothing', async () => {
  const { sendId, original } = await saveMail();
  await post(bounces.exim({ original, recipient: 'somebody.else@example.org' }));
  expect(world.transactions.reportedDeliveryStatuses).toMatchObject([{ sendId, status: 'failed' }]);
  expect(await readStops()).toEqual([]);
});

test.each<[string, (original: string) => Buffer]>([
  ['about another mail to the same mailbox', () => bounces.postfix({ original: '<other@countersign.local>' })],
  ['of a delay', (original) => bounces.postfix({ original, action: 'delayed', status: '4.4.1' })],
  ['that is an automatic reply', (original) => Buffer.from(`In-Reply-To: ${original}\r\n\r\nI am away.`)],
  ['that is empty', () => Buffer.from('')],
])('a mail %s changes nothing', async (_, mailOf) => {
  const { original } = await saveMail();
  expect((await post(mailOf(original))).status).toBe(204);
  expect(await readStops()).toEqual([]);
  expect(world.transactions.reportedDeliveryStatuses).toEqual([]);
});

test('a report about a mail of an erased transaction changes nothing', async () => {
  const { sendId, original } = await saveMail();
  await world.pool.query('update sends set erased = true where send_id = $1', [sendId]);
  await post(bounces.postfix({ original }));
  expect(await readStops()).toEqual([]);
});

test.each<[string, () => string]>([
  ['a changed token', () => `${mailReportPath(world.api.dependencies.keys).slice(0, -2)}xx`],
  ['no token', () => '/webhooks/mail/x'],
  [
    'the token of a gateway',
    () => {
      const path = gatewayReportPath(world.api.dependencies.keys, { provider: 'p', sendId: 's' });
      return path.replace('/gateways/', '/mail/');
    },
  ],
])('a report at an address with %s gets 403', async (_, pathFor) => {
  const { original } = await saveMail();
  const response = await post(bounces.postfix({ original }), pathFor());
  expect(response.body).toEqual(problemShape('invalid_signature', 403));
  expect(await readStops()).toEqual([]);
});

test('a report of more than 256 KB gets 413', async () => {
  const { original } = await saveMail();
  const mail = Buffer.concat([bounces.postfix({ original }), Buffer.alloc(256 * 1024, 'x')]);
  expect((await post(mail)).body).toEqual(problemShape('body_too_large', 413));
});

describe('a release', () => {
  test('allows mails of its tenant only, and a repeated report does not undo it', async () => {
    const { original } = await saveMail();
    await post(bounces.postfix({ original }));
    const mailStop = { reason: 'bounced', cause: '5.1.1', mailedAt: expect.any(String) as string };
    expect((await optOuts('search')).body).toEqual({ stopsMessages: true, mailStop });
    const released = { stopsMessages: false, mailStop, releasedAt: expect.any(String) as string };
    expect((await optOuts('release')).body).toEqual(released);
    expect((await optOuts('release')).body).toEqual(problemShape('not_opted_out', 409));
    await post(bounces.postfix({ original }));
    expect((await optOuts('search')).body).toEqual(released);
    expect(await reserve('local')).toHaveProperty('row');
    expect(await reserve('other')).toEqual({ reason: 'stopped', code: '5.1.1' });
  });

  test('does not cover a mail that bounces after it', async () => {
    await post(bounces.postfix(await saveMail()));
    await optOuts('release');
    await post(bounces.exchange(await saveMail()));
    expect(await reserve('local')).toEqual({ reason: 'stopped', code: '5.1.10' });
    expect((await optOuts('search')).body).toMatchObject({ stopsMessages: true, mailStop: { cause: '5.1.10' } });
  });

  test('needs a mail of the tenant', async () => {
    await post(bounces.postfix(await saveMail()));
    const other = await world.api.issueToken('other');
    expect((await optOuts('release', other)).body).toEqual(problemShape('destination_not_messaged', 404));
  });
});

test('npm run mail-reports prints the path, and accepts no arguments', async () => {
  const output = { stdout: '', stderr: '' };
  const write = (name: 'stdout' | 'stderr') => ({ write: (text: string) => ((output[name] += text), true) });
  const serviceKey = Buffer.alloc(32, 'k3y-of-a-test').toString('base64');
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  const environment = () => ({ DATABASE_URL: database, SERVICE_KEY: serviceKey });
  const context = { environment, stdout: write('stdout'), stderr: write('stderr') };
  expect(await runMailReports(['now'], context)).toBe(1);
  expect(output.stderr).toContain('Usage:');
  expect(await runMailReports([], context)).toBe(0);
  const pool = openPool(database, createLogger('test', 'silent'), 1);
  const keys = await openKeys(pool, createServiceKeys(serviceKey));
  expect(output.stdout).toBe(`${mailReportPath(keys)}\n`);
  await pool.end();
  await postgres.stop();
});
