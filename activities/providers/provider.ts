import type { MessageToDeliver } from '../../workflows/contract/activities';

/** The parts of a message that only the person may see, by the kind of the message. */
export type MessageContent =
  /** `link`: the hosted page. `denyLink`: the page that accepts only a denial. */
  | { kind: 'token'; code: string; link: string; denyLink: string }
  | { kind: 'secondFactor'; link: string }
  /** `link`: the biometrics link. */
  | { kind: 'link'; link: string }
  /** A message without a code or a link. */
  | { kind: 'biometricsResult' };

/** A message to send: its texts are complete, including code and link. */
export interface OutgoingMessage extends Pick<MessageToDeliver, 'sendId' | 'settings' | 'language' | 'destination'> {
  subject?: string;
  text: string;
  content: MessageContent;
}

/** A provider as the sender of messages on one channel. Its functions throw DeliveryError. */
export interface Provider {
  /** Its name in MESSAGING, in logs and in the table `sends`, such as `twilio`. */
  name: string;
  /**
   * Time from the start of `send` until its outcome is known. After this time, the attempt has ended and has saved its outcome. If the
   * provider accepted the message, the first status callback about the message has probably arrived.
   */
  outcomeKnownAfterMs: number;
  /** Prepares what `send` needs, such as a WhatsApp template. Sends nothing to the person, even if it fails. */
  prepare?(message: OutgoingMessage): Promise<void>;
  /** Sends the message, which expires in `msLeft` milliseconds. Returns the id that the provider gave to the message. */
  send(message: OutgoingMessage, msLeft: number): Promise<string>;
  /**
   * Searches the provider for messages that may be `message`. Returns the ids that the provider gave to them, the most likely first.
   * Ignores messages that are clearly older than `since`. Absent: the provider cannot be asked.
   */
  find?(message: OutgoingMessage, since: Date): Promise<string[]>;
  /** Whether a person cannot reply to its messages, so that it gets no questions. */
  withoutReplies?: true;
  /** Whether a repeated request gives the person no second message: the provider or the mailbox recognizes it by an id. */
  recognizesRepeats?: true;
}

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
export type Refusal = 'DestinationRefused' | 'DestinationOptedOut' | 'ProviderRefused' | 'accountRefused' | 'notSent';

/** The outcome of a message that the provider did not confirm. `unknown`: the message may be on its way. After a refusal, it is not. */
export type DeliveryErrorKind = Refusal | 'unknown';

/** The error of a `Provider`. It has the provider's error code, but not the error text, which may contain a phone or a mailbox. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';

  constructor(
    readonly kind: DeliveryErrorKind,
    readonly providerCode?: string,
    /** How long the provider asks to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(`The provider did not confirm the message: ${kind}${providerCode ? ` (${providerCode})` : ''}.`);
  }
}

/** Codes of errors without a connection. With these errors, the request did not reach the provider. */
export const noConnectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
