/** What a provider reported on a message that we sent. */
export interface StatusEvent {
  kind: 'status';
  sendId: string;
  providerId: string;
  /** The provider's own word. */
  status: string;
  code?: string;
}

/** What a person sent us. The sender is kept as keyed hashes only: of the number, and of the other way to write it. */
export interface InboundEvent {
  kind: 'inbound';
  channel: 'sms' | 'whatsapp';
  senders: string[];
  text: string;
  /** Id that the template gave the button which was pressed. */
  button?: string;
  /** The provider's id of the message that was replied to. */
  repliedTo?: string;
}
