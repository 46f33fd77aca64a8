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

/** A person sent a message to the service. `senders`: keyed hashes of the phone, one for each way to write it, or of the mailbox. */
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

/** In test mode, stands for a reviewer: the decision on the images of a test document. */
export interface TestReviewEvent {
  kind: 'testReview';
  tenant: string;
  transactionId: string;
  biometricsId: string;
  status: Decision['status'];
}
