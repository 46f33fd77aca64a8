import type { MessageToDeliver } from '../../workflows/ports';

/** A message as it goes out: its texts are complete, code and link included. */
export interface OutgoingMessage extends Pick<MessageToDeliver, 'sendId' | 'flow' | 'language' | 'destination'> {
  subject?: string;
  text: string;
  /** Tokens only. */
  code?: string;
  /** Address of the hosted page or, for a biometrics link, of the biometrics page. A notice has none. */
  link?: string;
  /** Address of the page that takes a denial only. Tokens only. */
  denyLink?: string;
  /** ISO 8601. */
  expiresAt: string;
}

/** One way to reach a person. What goes wrong is thrown as DeliveryFault. */
export interface Channel {
  /** After this long no call of `send` is still under way, and word of a message that arrived is likely in. */
  settlesWithinMs: number;
  /** Does what `send` needs and no person notices, so that its failure leaves nothing unknown. */
  prepare?(message: OutgoingMessage): Promise<void>;
  /** Hands the message to the provider and gives the provider's id of it. */
  send(message: OutgoingMessage): Promise<string>;
  /** Ids of messages that the provider took since an instant and that may be this one, the likeliest first. */
  find?(message: OutgoingMessage, since: Date): Promise<string[]>;
}

/**
 * What became of a message that the provider did not confirm. `notTaken`: certainly not sent, may be tried again.
 * `unknown`: it may be on its way. The others are final.
 */
export type DeliveryErrorKind =
  | 'notTaken'
  | 'unknown'
  | 'DestinationRefused'
  | 'DestinationOptedOut'
  | 'ProviderRefused';

/** Carries the provider's number of the error and never its words, which quote addresses. */
export class DeliveryError extends Error {
  override name = 'DeliveryFault';

  constructor(
    readonly kind: DeliveryErrorKind,
    readonly providerCode?: string,
    /** How long the provider asked us to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(`The provider did not confirm the message: ${kind}${providerCode ? ` (${providerCode})` : ''}.`);
  }
}
