import { DeliveryError } from './channel';

/** Codes of connection errors. With these errors, no mail was sent. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EDNS']);

/**
 * Reply codes of RFC 5321. 550: there is no such mailbox. 551: the mailbox is on another server. 553: the name of the mailbox is not
 * allowed.
 */
const refusedMailboxCodes = new Set([550, 551, 553]);

/** The fields of a nodemailer error that show what happened. */
interface SmtpError {
  /** The SMTP reply code. */
  responseCode?: number;
  code?: string;
  originalCode?: string;
  syscall?: string;
}

/** Converts an error of nodemailer to a delivery error. If the server replied with an error code, it certainly did not accept the mail. */
export function readSmtpError(error: unknown): DeliveryError {
  const { responseCode, code, originalCode, syscall } = error as SmtpError;
  if (responseCode !== undefined) {
    const providerCode = String(responseCode);
    if (responseCode < 500) return new DeliveryError('notSent', providerCode);
    return new DeliveryError(
      refusedMailboxCodes.has(responseCode) ? 'DestinationRefused' : 'ProviderRefused',
      providerCode,
    );
  }
  const cause = originalCode ?? code ?? 'unknown';
  const isConnectionError = connectionErrors.has(cause) || code === 'EDNS' || syscall === 'connect';
  // nodemailer itself rejected the address, so nothing was sent.
  if (code === 'EENVELOPE') return new DeliveryError('DestinationRefused', 'EENVELOPE');
  return new DeliveryError(isConnectionError ? 'notSent' : 'unknown', cause);
}
