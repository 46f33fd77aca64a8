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

/** A message of a person. `senders`: keyed hashes of the number, in each of its forms. */
export interface InboundEvent {
  kind: 'inbound';
  channel: 'sms' | 'whatsapp';
  senders: string[];
  text: string;
  /** The id of the pressed button. */
  button?: string;
  /** The provider's id of the replied message. */
  repliedTo?: string;
}
