import { DeliveryError, type DeliveryErrorKind } from './channel';

/** Numbers that cannot be reached: invalid, landline, unknown to the channel, or in a region that is not enabled. */
const refusedDestinations = new Set([
  21_211, 21_214, 21_217, 21_265, 21_401, 21_407, 21_408, 21_421, 21_604, 21_612, 21_614, 63_003, 63_024,
]);

/** Persons who stopped messages from us, at the carrier or in the app. */
const optedOut = new Set([21_610, 63_032, 63_033]);

/** Failures of the way to the provider: the request never reached it. */
const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** What an error number of the provider means for the message; a number we do not know is a refusal. */
function meaningOfTwilioCode(code: number): DeliveryErrorKind {
  if (optedOut.has(code)) return 'DestinationOptedOut';
  return refusedDestinations.has(code) ? 'DestinationRefused' : 'ProviderRefused';
}

/** What an error of the SDK or of the network under it says of the message. */
export function readTwilioError(error: unknown): DeliveryError {
  if (error instanceof DeliveryError) return error;
  const { status, code } = error as { status?: unknown; code?: unknown };
  // The network's errors carry words for codes; some carry the status of an answer that broke off.
  if (typeof code === 'string') return new DeliveryError(connectionErrors.has(code) ? 'notTaken' : 'unknown', code);
  if (typeof status !== 'number') return new DeliveryError('unknown');
  const providerCode = String(typeof code === 'number' ? code : status);
  // A request that the server gave up waiting for may still have been read.
  if (status >= 500 || status < 400 || status === 408) return new DeliveryError('unknown', providerCode);
  return new DeliveryError(typeof code === 'number' ? meaningOfTwilioCode(code) : 'ProviderRefused', providerCode);
}
