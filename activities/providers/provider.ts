import type { DeliveryErrorKind } from '../../domain/providers/refusal';
import type { Abilities } from '../../domain/providers/route';
import type { MessageToDeliver } from '../../workflows/contract/activities';

/** The parts of a message that only the person may see, by the kind of the message. */
export type MessageContent =
  /**
   * `link`: the hosted page. `denyLink`: the page that accepts only a denial. `callUrl`: where a provider of calls asks what a call says.
   */
  | { kind: 'token'; code: string; link: string; denyLink: string; callUrl: string }
  | { kind: 'secondFactor'; link: string }
  /** `link`: the biometrics link. */
  | { kind: 'link'; link: string }
  /** A message without a code or a link. */
  | { kind: 'biometricsResult' };

/** A message to send: its texts are complete, including code and link. */
export interface OutgoingMessage
  extends Pick<MessageToDeliver, 'tenant' | 'sendId' | 'settings' | 'language' | 'brand' | 'destination'> {
  subject?: string;
  text: string;
  content: MessageContent;
}

/** A provider as the sender of messages on one channel. Its functions throw DeliveryError. */
export interface Provider extends Abilities {
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
}

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
