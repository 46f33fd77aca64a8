import { twilioRefusal } from '../../domain/confirmation/refusals';
import { DeliveryError } from './channel';

/** Codes of connection errors. With these errors, the request did not reach the provider. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Converts an error of the SDK or the network to a delivery error. */
export function readTwilioError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { status, code } = error as { status?: unknown; code?: unknown };
  // The code of a network error is a text. The error may also have a status, from a response that was interrupted.
  if (typeof code === 'string') return new DeliveryError(connectionErrors.has(code) ? 'notSent' : 'unknown', code);
  if (typeof status !== 'number') return new DeliveryError('unknown');
  const providerCode = String(typeof code === 'number' ? code : status);
  // The server may have processed a request even if it answers 408.
  if (status >= 500 || status < 400 || status === 408) return new DeliveryError('unknown', providerCode);
  return new DeliveryError(twilioRefusal(status, typeof code === 'number' ? code : undefined), providerCode);
}
