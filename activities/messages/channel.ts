import type { Refusal } from '../../domain/confirmation/refusals';
import type { MessageToDeliver } from '../../workflows/ports';

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
  /** ISO 8601. */
  expiresAt: string;
}

/** One way to reach a person. Its functions throw DeliveryError. */
export interface DeliveryChannel {
  /**
   * Time from the start of `send` until its outcome is known. After this time, the attempt has ended and has saved its outcome. If the
   * provider accepted the message, the first status callback about the message has probably arrived.
   */
  outcomeKnownAfterMs: number;
  /** Prepares what `send` needs, such as a WhatsApp template. Sends nothing to the person, even if it fails. */
  prepare?(message: OutgoingMessage): Promise<void>;
  /** Sends the message. Returns the id that the provider gave to the message. */
  send(message: OutgoingMessage): Promise<string>;
  /**
   * Searches the provider for messages that may be `message`. Returns the ids that the provider gave to them, the most likely first.
   * Ignores messages that are clearly older than `since`.
   */
  find?(message: OutgoingMessage, since: Date): Promise<string[]>;
}

/** The outcome of a message that the provider did not confirm. `unknown`: the message may be on its way. After a refusal, it is not. */
export type DeliveryErrorKind = Refusal | 'unknown';

/** The error of a `DeliveryChannel`. It has the provider's error code, but not the error text, which may contain a phone or a mailbox. */
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
