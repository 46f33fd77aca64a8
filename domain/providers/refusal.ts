/**
 * Whose fault a refusal of a provider is, and so what happens to the message. After the last three, the next provider of the route gets the
 * message. What is said here applies if there is none.
 *
 * - `DestinationRefused`, `DestinationOptedOut`: final. The person must act: the phone or mailbox is wrong, full or closed to us.
 * - `ProviderRefused`: final. The cause is our message, sender or reputation, or a setting of the account for one country or text. It lasts
 *   longer than a message is valid, and other channels work. So the caller must know at once.
 * - `accountRefused`: retried until the message expires. The provider refuses every message of a working installation: a password has
 *   changed, the account is suspended, or has no funds or quota left. The operator can correct this while messages wait.
 * - `notSent`: retried until the message expires. The provider asks for a later attempt.
 */
export const refusals = [
  'DestinationRefused',
  'DestinationOptedOut',
  'ProviderRefused',
  'accountRefused',
  'notSent',
] as const;

export type Refusal = (typeof refusals)[number];

/** The outcome of a message that the provider did not confirm. `unknown`: the message may be on its way. After a refusal, it is not. */
export type DeliveryErrorKind = Refusal | 'unknown';

/** Whether the refusal is about the phone or mailbox. It is the same at every provider, and the provider works. */
export const isAboutDestination = (
  kind: DeliveryErrorKind | 'accepted',
): kind is 'DestinationRefused' | 'DestinationOptedOut' =>
  kind === 'DestinationRefused' || kind === 'DestinationOptedOut';
