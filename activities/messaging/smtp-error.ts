import { DeliveryError } from './channel';

/** Failures of the way to the server: no mail was handed over. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EDNS']);

/** RFC 5321: no such mailbox, not local, name not allowed. */
const refusedMailboxes = new Set([550, 551, 553]);

interface SmtpError {
  /** The number that the server answered with. */
  responseCode?: number;
  code?: string;
  originalCode?: string;
  syscall?: string;
}

/** What an error of the mail transport says of the mail. A number in an answer is the server's last word on it. */
export function readSmtpError(error: unknown): DeliveryError {
  const { responseCode, code, originalCode, syscall } = error as SmtpError;
  if (responseCode !== undefined) {
    const providerCode = String(responseCode);
    if (responseCode < 500) return new DeliveryError('notTaken', providerCode);
    return new DeliveryError(
      refusedMailboxes.has(responseCode) ? 'DestinationRefused' : 'ProviderRefused',
      providerCode,
    );
  }
  const cause = originalCode ?? code ?? 'unknown';
  const beforeAnyMail = connectionErrors.has(cause) || code === 'EDNS' || syscall === 'connect';
  // An envelope that the transport itself refuses never leaves this process.
  if (code === 'EENVELOPE') return new DeliveryError('DestinationRefused', 'EENVELOPE');
  return new DeliveryError(beforeAnyMail ? 'notTaken' : 'unknown', cause);
}
