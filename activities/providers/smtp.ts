import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { keyedHash } from '../../messages/codes';
import { senderDomainOf } from '../../messages/messaging';
import { createPublicLookup, isPublicAddress, PrivateAddressError } from '../../platform/ip-addresses';
import type { Keys } from '../../platform/keys/service-keys';
import { deadline } from '../http-requests';
import { DeliveryError, noConnectionCodes, type Provider } from './provider';
import { composeMail } from './compose-mail';
import { smtpRefusal } from './smtp-refusals';

export interface SmtpSender {
  /** The name of the mail server in MESSAGING. */
  name: string;
  url: string;
  /** From header, e.g. `Countersign <no-reply@countersign.local>`. */
  from: string;
  keys: Keys;
  /** Whether a server without TLS gets no mail. `?requireTLS=false` in the URL overrides it. */
  mustEncrypt: boolean;
  dkim?: { domain: string; selector: string; privateKey: string };
  /** Whether the server must have a public address. */
  publicOnly: boolean;
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

/** Reads the name, the address and its domain from a From header. Mails without a brand of the tenant show the name as their brand. */
function parseFromHeader(from: string): { brand: string; address: string; domain: string } {
  const address = (/<([^<>]*)>/.exec(from)?.[1] ?? from).trim();
  const domain = senderDomainOf(from);
  const brand = from.includes('<') ? from.slice(0, from.indexOf('<')).replaceAll('"', '').trim() : '';
  return { brand: brand || domain, address, domain };
}

/**
 * A mail server as the sender of mails. It has no list of messages that can be searched. So a retry after an unknown outcome sends the mail
 * again with the same Message-ID. Most mailboxes then recognize the duplicate.
 */
export function createMailSender({ name, url, from, keys, mustEncrypt, dkim, publicOnly }: SmtpSender): {
  provider: Provider;
  close: () => void;
} {
  const transport = createTransport({
    pool: true,
    url,
    // STARTTLS alone is optional: whoever sits between could remove the offer from the greeting, and read the codes.
    requireTLS: mustEncrypt,
    connectionTimeout: greetingTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    dnsTimeout: greetingTimeoutMs,
    socketTimeout: sendTimeoutMs,
    // nodemailer must not retry: the row in the table `sends` decides whether a retry is allowed.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    ...(publicOnly && { getSocket: (_: unknown, callback: SocketCallback) => connectToPublic(url, callback) }),
  });
  const { brand, address, domain } = parseFromHeader(from);
  const provider: Provider = {
    name,
    outcomeKnownAfterMs,
    withoutReports: true,
    recognizesRepeats: true,
    async send(message) {
      const messageId = `<${keyedHash(keys, 'mail', message.sendId)}@${domain}>`;
      try {
        await transport.sendMail({
          // An object, so that nodemailer quotes the name, whatever it contains.
          from: message.brand ? { name: message.brand.name, address } : from,
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
  return { provider, close: () => transport.close() };
}

type SocketCallback = (error: Error | null, options?: { connection: Socket }) => void;

/** Connects to a mail server that a tenant has chosen, if every address of its name is public. */
function connectToPublic(url: string, callback: SocketCallback): void {
  const { hostname, port, protocol } = new URL(url);
  const fail = (error: NodeJS.ErrnoException) =>
    // Without a connection, nothing was sent.
    callback(Object.assign(error, { syscall: 'connect', code: error.code ?? 'privateAddress' }));
  // Node calls `lookup` only for names, not for IP addresses.
  if (isPublicAddress(hostname) === false) return fail(new PrivateAddressError());
  const socket = connect({
    host: hostname,
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    lookup: createPublicLookup(),
  });
  const end = (settle: () => void) => {
    socket.removeAllListeners().setTimeout(0);
    settle();
  };
  socket.setTimeout(greetingTimeoutMs, () =>
    socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
  );
  socket.once('error', (error) => end(() => fail(error)));
  socket.once('connect', () => end(() => callback(null, { connection: socket })));
}

/** The fields of a nodemailer error that show what happened. */
interface SmtpError {
  /** The reply of the server. If the reply has several lines, each begins with the reply code. */
  response?: string;
  /** The SMTP reply code. */
  responseCode?: number;
  /** The refused command, such as `RCPT TO`. */
  command?: string;
  code?: string;
  originalCode?: string;
  syscall?: string;
}

/**
 * Converts an error of nodemailer to a delivery error. If the server replied with an error code, it certainly did not accept the mail.
 */
export function readSmtpError(error: unknown): DeliveryError {
  const { response = '', responseCode, command = '', code, originalCode, syscall } = error as SmtpError;
  if (responseCode !== undefined) {
    const enhancedCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?!\S)/.exec(response)?.[1];
    const refusal = smtpRefusal({ command, code: responseCode, enhancedCode, text: response });
    return new DeliveryError(refusal, String(responseCode));
  }
  const cause = originalCode ?? code ?? 'unknown';
  // nodemailer itself rejected the address, so nothing was sent.
  if (code === 'EENVELOPE') return new DeliveryError('DestinationRefused', 'EENVELOPE');
  // The settings have no credentials that the server accepts.
  if (code === 'EAUTH') return new DeliveryError('accountRefused', 'EAUTH');
  // ETLS: the connection could not be encrypted, so no command for a mail was sent.
  const isConnectionError =
    noConnectionCodes.has(cause) || cause === 'EDNS' || code === 'EDNS' || code === 'ETLS' || syscall === 'connect';
  return new DeliveryError(isConnectionError ? 'notSent' : 'unknown', cause);
}
