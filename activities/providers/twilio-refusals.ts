import type { Refusal } from '../../domain/providers/refusal';

/**
 * The refusals of Twilio, by error code: https://www.twilio.com/docs/api/errors/<code>. A code that is not in the table is
 * `ProviderRefused`, except after one of `accountStatuses`.
 */
const twilioRefusals: ReadonlyMap<number, Refusal> = new Map([
  // The number is not valid, not reachable, a short code, not mobile, or a landline.
  ...codes('DestinationRefused', 21_211, 21_214, 21_217, 21_265, 21_401, 21_614, 21_635),
  // The number has no account on the channel, or cannot get this kind of message.
  ...codes('DestinationRefused', 63_003, 63_024),
  // The person replied STOP, or has blocked us in the app.
  ...codes('DestinationOptedOut', 21_610, 63_014, 63_032, 63_033),
  // The queue of our number is full, or we send too fast on the channel. Both pass within minutes.
  ...codes('notSent', 21_611, 63_018),
  // The account makes as many calls as it may at the same time.
  ...codes('notSent', 10_004),
  // The account is not active, is suspended or closed, or has no funds.
  ...codes('accountRefused', 10_001, 20_005, 20_403, 30_002, 90_010),
  // The credentials are wrong, or may not do this. Twilio does not know the account, or the channel does not accept its credentials.
  ...codes('accountRefused', 20_003, 20_404, 70_051, 63_001),
  // The account has reached its daily limit.
  ...codes('accountRefused', 63_038),
  // Not enabled for the country of the number, or the number is not verified for a trial account: other numbers get their messages.
  ...codes('ProviderRefused', 21_408, 21_608, 21_215, 21_219),
  // The sender cannot reach this number: the number is right, and other channels work.
  ...codes('ProviderRefused', 21_612),
]);

function codes(refusal: Refusal, ...errorCodes: number[]): [number, Refusal][] {
  return errorCodes.map((code) => [code, refusal]);
}

/**
 * HTTP statuses that refuse the account and not a message (RFC 9110, 15.5): sign-in required, payment required, forbidden, no such account
 * or address, sign-in at a proxy required.
 */
const accountStatuses = new Set([401, 402, 403, 404, 407]);

/** The refusal that an error response of Twilio with a status from 400 to 499 means. `code`: the error code of Twilio, if any. */
export function twilioRefusal(status: number, code?: number): Refusal {
  const refusal = code === undefined ? undefined : twilioRefusals.get(code);
  return refusal ?? (accountStatuses.has(status) ? 'accountRefused' : 'ProviderRefused');
}
