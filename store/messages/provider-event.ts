import type { Decision } from '../../domain/biometrics/biometrics';
import type { Channel } from '../../domain/confirmation/settings';
import type { Keyword } from '../../domain/confirmation/replies';

/** A provider reports the delivery status of a message. */
export interface StatusEvent {
  kind: 'status';
  sendId: string;
  providerId: string;
  /** The status, in the words of the provider. */
  status: string;
  /** The provider's error number. */
  code?: string;
}

/**
 * A person sent a message to the service. `senders`: the keyed hash of the sender. An event that an earlier build has saved can have two hashes,
 * for two spellings of the phone.
 */
export interface InboundEvent {
  kind: 'inbound';
  channel: Channel;
  senders: string[];
  text: string;
  /** The id of the pressed button. */
  button?: string;
  /** The provider's id of the message to which the person replied. */
  repliedTo?: string;
  /** The keyword that the provider found in the text. Absent if the provider does not say. */
  keyword?: Keyword;
}

/** In test mode: the decision on the images of a test document, in place of the decision of a reviewer. */
export interface TestReviewEvent {
  kind: 'testReview';
  tenant: string;
  transactionId: string;
  biometricsId: string;
  status: Decision['status'];
}
