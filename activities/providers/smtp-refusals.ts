import type { Refusal } from '../../domain/providers/refusal';

/** A reply of a mail server that refuses a command. */
export interface SmtpReply {
  /** The refused command, such as `RCPT TO`. `CONN`: the server refused the connection. */
  command: string;
  /** The reply code of RFC 5321. */
  code: number;
  /** The enhanced status code of RFC 3463, such as `5.1.1`. */
  enhancedCode?: string | undefined;
  /** All lines of the reply. */
  text: string;
}

/** One row of the table for mail servers. It holds if all its fields match the reply. */
interface SmtpRow {
  refusal: Refusal;
  command?: RegExp;
  /** The first and the last code of a range. */
  codes?: readonly [number, number];
  /** Matches the subject and the detail of the enhanced status code, such as `1.1` of `5.1.1`. Empty for a reply without this code. */
  status?: RegExp;
  text?: RegExp;
}

/*
 * The first row that holds decides. Sources:
 * RFC 5321 (reply codes), RFC 3463 with the registry of RFC 5248 (enhanced status codes), RFC 4954 (sign-in), RFC 7504 (521, 556),
 * RFC 7505 (no mail for a domain), RFC 7293 (new owner of a mailbox), RFC 6531 (letters of an address).
 * Exchange: learn.microsoft.com/exchange/troubleshoot/email-delivery/ndr/non-delivery-reports-in-exchange-online
 * Gmail: support.google.com/a/answer/3726730
 * Amazon SES: docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp.html and troubleshoot-error-messages.html
 * Yahoo: help.yahoo.com/kb/SLN3444.html, senders.yahooinc.com/smtp-error-codes
 * Zoho: www.zoho.com/zeptomail/help/api/smtp-error-codes.html
 */
const smtpRows: readonly SmtpRow[] = [
  // RFC 5321, 4.2.1: a code below 500 is temporary. This includes a full mailbox (452 4.2.2): the server itself asks for another attempt.
  { refusal: 'notSent', codes: [0, 499] },
  // RFC 5321, 3.1 and 4.1.1.1; RFC 4954, 6: before MAIL FROM, the server refuses the service and not a message.
  { refusal: 'accountRefused', command: /^(?:CONN|[EHL]+LO|STARTTLS|AUTH)/ },
  // RFC 4954, 6: the server requires a sign-in, or another one. Servers also send these codes after MAIL FROM.
  { refusal: 'accountRefused', codes: [530, 538] },
  // Postfix, Exim and Exchange (5.7.54) say so to a client that has not signed in. Exim gives no enhanced status code.
  { refusal: 'accountRefused', text: /relay(?:ing)? (?:access )?(?:denied|not permitted|prohibited)|unable to relay/i },
  // Exchange: the account is blocked, or over its limit. Zoho: the account is blocked.
  { refusal: 'accountRefused', text: /bad outbound sender|unusual sending activity/i },
  { refusal: 'accountRefused', status: /^1\.90$|^7\.(?:50[1-3]|57|705|708|750)$/ },
  // Gmail: the daily limit of the account. RFC 3463, 3.5: congestion of the mail system.
  { refusal: 'accountRefused', status: /^4\.5$/ },
  // Amazon SES: the credentials may not send, or sending is paused for the account.
  { refusal: 'accountRefused', text: /not authorized to perform|sending (?:is )?(?:paused|suspended)/i },
  // RFC 7293, 5: the mailbox or its domain has a new owner. A mail for the earlier owner must not arrive.
  { refusal: 'DestinationRefused', status: /^7\.1[78]$/ },
  // RFC 3463, 3.8: policy and security, such as block lists, DMARC and spam. Yahoo: 5.7.9.
  { refusal: 'ProviderRefused', status: /^7\./ },
  // RFC 3463, 3.2 (5.1.7, 5.1.8): the sender. RFC 5321, 3.3: a reply to MAIL FROM is about the sender. Zoho: 553 after MAIL FROM.
  { refusal: 'ProviderRefused', status: /^1\.[78]$/ },
  { refusal: 'ProviderRefused', command: /^MAIL/ },
  { refusal: 'ProviderRefused', text: /relaying disallowed as/i },
  // RFC 3463, 3.2: the address. RFC 7505, 5.2 (5.1.10): its domain takes no mail. Exchange (5.1.10): there is no such recipient.
  { refusal: 'DestinationRefused', status: /^1\.(?:[1-69]|10)$/ },
  // RFC 3463, 3.3: the mailbox is disabled (5.2.1) or full (5.2.2).
  { refusal: 'DestinationRefused', status: /^2\./ },
  // Exchange (5.4.1): the directory has no such recipient. RFC 3463, 3.5 (5.4.4): the domain of the address cannot be reached.
  { refusal: 'DestinationRefused', command: /^RCPT/, codes: [550, 550], status: /^4\.[14]$/ },
  // RFC 6531, 3.5: the server of the mailbox does not support letters of its address.
  { refusal: 'DestinationRefused', status: /^6\.7$/ },
  // RFC 3463, 3.4 to 3.7: the mail system, the network, the protocol or the content. A detail of 0 says nothing, so the reply code decides.
  { refusal: 'ProviderRefused', status: /^[3-6]\.[1-9]/ },
  // RFC 5321, 4.2.3 and 4.3.2, RFC 7504: a reply to RCPT TO is about the address: its syntax (501), its server (521, 556), or the mailbox,
  // which does not exist (550, 551, 553) or is full (552).
  { refusal: 'DestinationRefused', command: /^RCPT/, codes: [501, 501] },
  { refusal: 'DestinationRefused', command: /^RCPT/, codes: [521, 521] },
  { refusal: 'DestinationRefused', command: /^RCPT/, codes: [550, 553] },
  { refusal: 'DestinationRefused', command: /^RCPT/, codes: [556, 556] },
  // RFC 5321, 4.2.3: the mailbox has no space left. Our mails are too short for a limit of the size of a mail.
  { refusal: 'DestinationRefused', codes: [552, 552], status: /^$/ },
  // Yahoo refuses a mailbox after DATA, without an enhanced status code.
  {
    refusal: 'DestinationRefused',
    command: /^DATA/,
    status: /^$/,
    text: /delivery error: dd|mailbox (?:is disabled|not found)/i,
  },
];

/** The refusal that a reply of a mail server means. */
export function smtpRefusal({ command, code, enhancedCode = '', text }: SmtpReply): Refusal {
  const status = enhancedCode.slice(enhancedCode.indexOf('.') + 1);
  const row = smtpRows.find(
    (one) =>
      (!one.command || one.command.test(command)) &&
      (!one.codes || (code >= one.codes[0] && code <= one.codes[1])) &&
      (!one.status || one.status.test(status)) &&
      (!one.text || one.text.test(text)),
  );
  return row?.refusal ?? 'ProviderRefused';
}
