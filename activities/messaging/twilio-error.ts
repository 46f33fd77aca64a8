import { DeliveryError, type DeliveryErrorKind } from './channel';

/** The error codes of Twilio when a number is invalid, a landline, unknown to the channel, or in a region that is not enabled. */
const refusedDestinationCodes = new Set([
  21_211, 21_214, 21_217, 21_265, 21_401, 21_407, 21_408, 21_421, 21_604, 21_612, 21_614, 63_003, 63_024,
]);

/** The error codes of Twilio when the person has opted out of our messages, at the carrier or in the app. */
const optOutCodes = new Set([21_610, 63_032, 63_033]);

/** Codes of connection errors. With these errors, the request did not reach the provider. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Converts an error code of Twilio to a kind of delivery error. A code that is not in the sets above means that Twilio rejected the
 * message.
 */
function errorKindOf(code: number): DeliveryErrorKind {
  if (optOutCodes.has(code)) return 'DestinationOptedOut';
  return refusedDestinationCodes.has(code) ? 'DestinationRefused' : 'ProviderRefused';
}

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
  return new DeliveryError(typeof code === 'number' ? errorKindOf(code) : 'ProviderRefused', providerCode);
}
