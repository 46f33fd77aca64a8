import type { Decision } from '../../domain/biometrics/biometrics';
import type { Channel } from '../../domain/confirmation-settings';

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
 * A person sent a message to the service. `senders`: keyed hashes of the sender. A phone has one hash for each way to write its number. A
 * mailbox has one hash.
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
}

/** In test mode: the decision on the images of a test document, in place of the decision of a reviewer. */
export interface TestReviewEvent {
  kind: 'testReview';
  tenant: string;
  transactionId: string;
  biometricsId: string;
  status: Decision['status'];
}
