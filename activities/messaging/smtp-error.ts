import { DeliveryError } from './channel';

/** Connection errors: no mail was sent. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EDNS']);

/** RFC 5321: no such mailbox, not local, name not allowed. */
const refusedMailboxCodes = new Set([550, 551, 553]);

interface SmtpError {
  /** The SMTP reply code. */
  responseCode?: number;
  code?: string;
  originalCode?: string;
  syscall?: string;
}

/** Converts an error of the transport to a delivery error. If the server sent a reply code, the mail was certainly not accepted. */
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
  // The transport rejected the address itself: nothing was sent.
  if (code === 'EENVELOPE') return new DeliveryError('DestinationRefused', 'EENVELOPE');
  return new DeliveryError(isConnectionError ? 'notSent' : 'unknown', cause);
}
