import { createTransport } from 'nodemailer';
import { fingerprint } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import { deadline } from '../deadline';
import type { Channel } from './channel';
import { composeMail } from './compose-mail';
import { readSmtpError } from './smtp-error';

export interface SmtpDependencies {
  url: string;
  /** From header, e.g. `Countersign <no-reply@countersign.local>`. */
  from: string;
  keys: Keys;
}

/** A server that does not even greet in this time leaves the rest of the attempt to another one. */
const greetsWithinMs = 2_000;

/** Servers look a mail over before they take it, some for seconds; a background attempt has ten in all. */
const sendsWithinMs = 6_000;

/** Word of an attempt that was given up is in its row half a second later. */
const settlesWithinMs = sendsWithinMs + 500;

/** Name and domain of a From header; the name is what mails call their sender. */
function readFrom(from: string): { brand: string; domain: string } {
  const address = /<([^>]*)>/.exec(from)?.[1] ?? from;
  const domain = address.slice(address.lastIndexOf('@') + 1).trim();
  const brand = from.includes('<') ? from.slice(0, from.indexOf('<')).replaceAll('"', '').trim() : '';
  return { brand: brand || domain, domain };
}

/**
 * Mails over SMTP. Mail servers keep no list to look a lost mail up in: a retry after an unknown outcome carries the
 * same Message-ID, by which mailboxes fold the copies into one.
 */
export function createMailChannel({ url, from, keys }: SmtpDependencies): { channel: Channel; close: () => void } {
  const transport = createTransport({
    pool: true,
    url,
    connectionTimeout: greetsWithinMs,
    greetingTimeout: greetsWithinMs,
    dnsTimeout: greetsWithinMs,
    socketTimeout: sendsWithinMs,
    // The pool must not send again by itself: whether a mail goes out twice is decided on the row of its send.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const { brand, domain } = readFrom(from);
  const channel: Channel = {
    settlesWithinMs,
    async send(message) {
      const messageId = `<${fingerprint(keys, 'mail', message.sendId)}@${domain}>`;
      try {
        await transport.sendMail({
          from,
          // As an object, so that an odd address is never read as several.
          to: { name: '', address: message.destination },
          messageId,
          // RFC 3834: keeps vacation notices and other robots from answering.
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...composeMail(message, brand),
          signal: deadline(sendsWithinMs),
        });
      } catch (error) {
        throw readSmtpError(error);
      }
      return messageId;
    },
  };
  return { channel, close: () => transport.close() };
}
