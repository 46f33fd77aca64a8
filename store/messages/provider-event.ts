import type { Decision } from '../../domain/biometrics/biometrics';
import type { Channel } from '../../domain/confirmation-settings';

/** The delivery status of a message. */
export interface StatusEvent {
  kind: 'status';
  sendId: string;
  providerId: string;
  /** As the provider calls it. */
  status: string;
  /** The provider's error code. */
  code?: string;
}

/** A message of a person. `senders`: keyed hashes of the phone, in each of its forms, or of the mailbox. */
export interface InboundEvent {
  kind: 'inbound';
  channel: Channel;
  senders: string[];
  text: string;
  /** The id of the pressed button. */
  button?: string;
  /** The provider's id of the replied message. */
  repliedTo?: string;
}

/** In test mode: the decision of the reviewer on the images of a test document. */
export interface TestReviewEvent {
  kind: 'testReview';
  tenant: string;
  transactionId: string;
  biometricsId: string;
  status: Decision['status'];
}
