import { createTransport } from 'nodemailer';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import { deadline } from '../deadline';
import type { DeliveryChannel } from './channel';
import { composeMail } from './compose-mail';
import { readSmtpError } from './smtp-error';

export interface SmtpDependencies {
  url: string;
  /** From header, e.g. `Countersign <no-reply@countersign.local>`. */
  from: string;
  keys: Keys;
}

/** A server that sends no greeting within this time counts as unavailable. */
const greetingTimeoutMs = 2_000;

/**
 * Timeout of one mail. Some servers check a mail for seconds before they accept it. An attempt of `deliverMessage` may take 10 s, so 4 s
 * are left for the database.
 */
const sendTimeoutMs = 6_000;

/** A send ends after 6 s at the latest. Half a second later, the outcome of the send is in the database. */
const outcomeKnownAfterMs = sendTimeoutMs + 500;

/** Reads the name and the domain of a From header. Mails show the name as their brand. */
function parseFromHeader(from: string): { brand: string; domain: string } {
  const address = /<([^<>]*)>/.exec(from)?.[1] ?? from;
  const domain = address.slice(address.lastIndexOf('@') + 1).trim();
  const brand = from.includes('<') ? from.slice(0, from.indexOf('<')).replaceAll('"', '').trim() : '';
  return { brand: brand || domain, domain };
}

/**
 * The channel that sends mails over SMTP. A mail server has no list of messages that can be searched. So a retry after an unknown outcome
 * sends the mail again with the same Message-ID. Most mailboxes then recognize the duplicate.
 */
export function createMailChannel({ url, from, keys }: SmtpDependencies): {
  channel: DeliveryChannel;
  close: () => void;
} {
  const transport = createTransport({
    pool: true,
    url,
    connectionTimeout: greetingTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    dnsTimeout: greetingTimeoutMs,
    socketTimeout: sendTimeoutMs,
    // nodemailer must not retry: the row in the table `sends` decides whether a retry is allowed.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { brand, domain } = parseFromHeader(from);
  const channel: DeliveryChannel = {
    outcomeKnownAfterMs,
    async send(message) {
      const messageId = `<${keyedHash(keys, 'mail', message.sendId)}@${domain}>`;
      try {
        await transport.sendMail({
          from,
          // This is an object and not a text, so that nodemailer never reads one unusual address as several addresses.
          to: { name: '', address: message.destination },
          messageId,
          // RFC 3834: prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...composeMail(message, brand),
          signal: deadline(sendTimeoutMs),
        });
      } catch (error) {
        throw readSmtpError(error);
      }
      return messageId;
    },
  };
  return { channel, close: () => transport.close() };
}
