import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { readSmtpError } from '../../../activities/providers/smtp';
import {
  attemptDelivery,
  type DeliveryWorld,
  failureOf,
  newMessage,
  startDeliveryWorld,
} from '../messages/delivery-world';

let world: DeliveryWorld;
beforeAll(async () => {
  world = await startDeliveryWorld();
});
afterAll(() => world.stop());

type Command = 'connect' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA';
type Result = 'DestinationRefused' | 'ProviderRefused' | 'ProviderAccountRefused' | 'ProviderUnavailable';

/** Replies as the providers send them. The comments name the sources. */
const replies: [provider: string, refused: Command, reply: string, result: Result][] = [
  // support.google.com/a/answer/3726730
  ['Gmail', 'RCPT', '550 5.1.1 The email account that you tried to reach does not exist.', 'DestinationRefused'],
  ['Gmail', 'RCPT', '550 5.2.1 The email account that you tried to reach is disabled.', 'DestinationRefused'],
  ['Gmail', 'RCPT', '552 5.2.2 The email account that you tried to reach is over quota.', 'DestinationRefused'],
  ['Gmail', 'RCPT', '452 4.2.2 The email account that you tried to reach is over quota.', 'ProviderUnavailable'],
  [
    'Gmail',
    'RCPT',
    '450 4.2.1 The user you are trying to contact is receiving mail too quickly.',
    'ProviderUnavailable',
  ],
  ['Gmail', 'DATA', '550 5.7.1 This message is likely unsolicited mail.', 'ProviderRefused'],
  ['Gmail', 'DATA', '550 5.7.26 This mail has been blocked because the sender is unauthenticated.', 'ProviderRefused'],
  ['Gmail', 'DATA', '552 5.7.0 Our system detected an illegal attachment on your message.', 'ProviderRefused'],
  ['Gmail', 'DATA', '552 5.3.4 Your message exceeded our message size limits.', 'ProviderRefused'],
  ['Gmail', 'AUTH', '535 5.7.8 Username and Password not accepted.', 'ProviderAccountRefused'],
  ['Gmail', 'AUTH', '534 5.7.9 Application-specific password required.', 'ProviderAccountRefused'],
  ['Gmail', 'AUTH', '454 4.7.0 Too many login attempts, please try again later.', 'ProviderUnavailable'],
  ['Gmail', 'MAIL', '530 5.5.1 Authentication Required.', 'ProviderAccountRefused'],
  ['Gmail', 'DATA', '550 5.4.5 Daily user sending quota exceeded.', 'ProviderAccountRefused'],
  // learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr/non-delivery-reports-in-exchange-online
  ['Exchange', 'RCPT', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)', 'DestinationRefused'],
  ['Exchange', 'DATA', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found', 'DestinationRefused'],
  ['Exchange', 'DATA', '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception', 'DestinationRefused'],
  ['Exchange', 'DATA', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'ProviderRefused'],
  ['Exchange', 'RCPT', '550 5.7.606 Access denied, banned sending IP [192.0.2.1]', 'ProviderRefused'],
  ['Exchange', 'RCPT', '550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain', 'ProviderAccountRefused'],
  ['Exchange', 'DATA', '550 5.1.8 Access denied, bad outbound sender.', 'ProviderAccountRefused'],
  [
    'Exchange',
    'DATA',
    '550 5.7.708 Service unavailable. Access denied, traffic not accepted.',
    'ProviderAccountRefused',
  ],
  // www.easy365manager.com/office-365-ndr-error-codes
  ['Exchange', 'MAIL', '530 5.7.57 SMTP; Client was not authenticated', 'ProviderAccountRefused'],
  // sevencreative.co.uk/how-to-remove-yourself-from-the-hotmail-block-list, with the refused command
  ['Outlook.com', 'MAIL', '550 5.7.1 Part of their network is on our block list (S3150).', 'ProviderRefused'],
  // smtp.codes/microsoft
  ['Outlook.com', 'RCPT', '550 5.5.0 Requested action not taken: mailbox unavailable.', 'DestinationRefused'],
  // help.yahoo.com/kb/SLN3444.html, help.yahoo.com/l/in/yahoo/mail/original/abuse/abuse-57.html, smtp.codes/yahoo
  ['Yahoo', 'DATA', "554 delivery error: dd This user doesn't have a yahoo.com account", 'DestinationRefused'],
  ['Yahoo', 'DATA', '554 delivery error: dd Sorry. This account is over quota.', 'DestinationRefused'],
  ['Yahoo', 'RCPT', '552 1 Requested mail action aborted, mailbox not found', 'DestinationRefused'],
  ['Yahoo', 'DATA', '554 5.7.9 Message not accepted for policy reasons.', 'ProviderRefused'],
  // smtp.codes/icloud, suped.com/learn/email-deliverability/what-to-do-about-high-bounce-rates-from-icloud-user-over-quota-errors
  ['iCloud', 'RCPT', '550 5.1.1 <person@icloud.com>: user does not exist', 'DestinationRefused'],
  ['iCloud', 'RCPT', '552 5.2.2 <person@icloud.com>: user is over quota', 'DestinationRefused'],
  ['iCloud', 'DATA', '550 5.7.1 [CS01] Message rejected due to local policy.', 'ProviderRefused'],
  // www.postfix.org/LOCAL_RECIPIENT_README.html, www.postfix.org/SMTPD_ACCESS_README.html, major.io/2007/08/30/postfix-554-relay-access-denied
  ['Postfix', 'RCPT', '550 5.1.1 Recipient address rejected: User unknown in local table', 'DestinationRefused'],
  ['Postfix', 'RCPT', '554 5.7.1 <person@example.org>: Relay access denied', 'ProviderAccountRefused'],
  ['Postfix', 'RCPT', '550 5.1.8 Sender address rejected: Domain not found', 'ProviderRefused'],
  ['Postfix', 'RCPT', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked', 'ProviderRefused'],
  ['Postfix', 'RCPT', '450 4.2.0 Recipient address rejected: Greylisted', 'ProviderUnavailable'],
  // git.exim.org/exim.git, test/stderr/0094 and test/stdout/0395
  ['Exim', 'RCPT', '550 Unrouteable address', 'DestinationRefused'],
  ['Exim', 'RCPT', '501 person: recipient address must contain a domain', 'DestinationRefused'],
  ['Exim', 'RCPT', '550 relay not permitted', 'ProviderAccountRefused'],
  ['Exim', 'DATA', '550 This message was classified as spam', 'ProviderRefused'],
  // docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html, repost.aws/knowledge-center/ses-554-400-message-rejected-error
  ['Amazon SES', 'AUTH', '535 Authentication Credentials Invalid', 'ProviderAccountRefused'],
  [
    'Amazon SES',
    'DATA',
    '554 Access denied: User is not authorized to perform ses:SendRawEmail',
    'ProviderAccountRefused',
  ],
  ['Amazon SES', 'DATA', '554 Message rejected: Email address is not verified.', 'ProviderRefused'],
  ['Amazon SES', 'DATA', '454 Throttling failure: Maximum sending rate exceeded', 'ProviderUnavailable'],
  // www.zoho.com/zeptomail/help/api/smtp-error-codes.html, help.zoho.com/portal/en/community (550 5.4.6), smtp.codes/zoho
  ['Zoho', 'AUTH', '535 Authentication Failed', 'ProviderAccountRefused'],
  ['Zoho', 'MAIL', '553 Relaying disallowed as no-reply@acme.test', 'ProviderRefused'],
  ['Zoho', 'RCPT', '553 Relaying disallowed as no-reply@acme.test', 'ProviderRefused'],
  ['Zoho', 'DATA', '550 5.4.6 Unusual sending activity detected.', 'ProviderAccountRefused'],
  ['Zoho', 'RCPT', '550 5.1.1 <person@zoho.com> User unknown', 'DestinationRefused'],
  // RFC 7504, 7505, 7293
  ['a host without mail', 'connect', '521 mail.example.org does not accept mail', 'ProviderAccountRefused'],
  ['a domain without mail', 'RCPT', '556 5.1.10 Recipient address has null MX', 'DestinationRefused'],
  ['a mailbox with a new owner', 'RCPT', '550 5.7.17 Mailbox owner has changed', 'DestinationRefused'],
];

/** Starts a mail server that refuses one command with a reply. */
async function startServer(refused: Command, reply: string) {
  const error = Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
  const answer = (command: Command) => (command === refused ? error : null);
  const options: SMTPServerOptions = {
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: refused === 'AUTH' ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    // The service keeps its connection open. The server must not wait for it.
    closeTimeout: 1,
    // The replies already have an enhanced status code, if the provider sends one.
    hideENHANCEDSTATUSCODES: true,
    logger: false,
    onConnect: (_, done) => done(answer('connect')),
    onAuth: (_, __, done) => done(answer('AUTH'), { user: 'service' }),
    onMailFrom: (_, __, done) => done(answer('MAIL')),
    onRcptTo: (_, __, done) => done(answer('RCPT')),
    onData: (stream, _, done) => void stream.resume().once('end', () => done(answer('DATA'))),
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const credentials = refused === 'AUTH' ? 'service:wrong@' : '';
  return {
    url: `smtp://${credentials}127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(resolve);
      }),
  };
}

test.each(replies)('%s refuses %s with "%s": %s', async (_, refused, reply, result) => {
  const server = await startServer(refused, reply);
  const message = newMessage('email-token');
  try {
    expect(await failureOf(attemptDelivery(world.openActivities({ smtpUrl: server.url }), message))).toMatchObject({
      type: result,
      final: result === 'DestinationRefused' || result === 'ProviderRefused',
      details: { providerCode: reply.slice(0, 3) },
    });
  } finally {
    await server.stop();
  }
});

test('the enhanced status code of a reply with several lines decides', () => {
  const response = '550-5.7.1 Our system has detected that this message is\n550 5.7.1 likely unsolicited mail.';
  const error = { responseCode: 550, command: 'RCPT TO', response };
  expect(readSmtpError(error)).toMatchObject({ kind: 'ProviderRefused', providerCode: '550' });
});

test('a mail that waits for a correct password is sent after an operator has corrected the password, and the log has an error', async () => {
  const server = await startServer('AUTH', '535 5.7.8 Username and Password not accepted.');
  const message = newMessage('email-token');
  const withWrongPassword = world.openActivities({ smtpUrl: server.url });
  await failureOf(attemptDelivery(withWrongPassword, message));
  await server.stop();
  const line = world.log
    .map((one) => JSON.parse(one) as Record<string, unknown>)
    .find((one) => one['sendId'] === message.sendId);
  expect(line).toMatchObject({ level: 50, outcome: 'ProviderAccountRefused', providerCode: '535', channel: 'email' });
  await attemptDelivery(world.openActivities(), message);
  expect(await world.readMessages(message.destination)).toHaveLength(1);
});
