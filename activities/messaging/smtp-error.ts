import { smtpRefusal } from '../../domain/confirmation/refusals';
import { DeliveryError } from './channel';

/** Codes of connection errors. With these errors, no mail was sent. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EDNS']);

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
  const isConnectionError = connectionErrors.has(cause) || code === 'EDNS' || code === 'ETLS' || syscall === 'connect';
  return new DeliveryError(isConnectionError ? 'notSent' : 'unknown', cause);
}
