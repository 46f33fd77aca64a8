import { randomBytes } from 'node:crypto';

export type Channel = 'sms' | 'whatsapp' | 'email';
export type PhoneChannel = Exclude<Channel, 'email'>;

/** States of a message as the provider names them; a mail is delivered at once and read later. */
export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'undelivered' | 'received';

/** A quick-reply button: what the person sees, and what comes back when it is pressed. */
export interface Button {
  title: string;
  payload: string;
}

/** One message, out to a person or back from one. Phones are plain E.164 whatever the channel. */
export interface Message {
  id: string;
  channel: Channel;
  direction: 'outbound' | 'inbound';
  to: string;
  from: string;
  subject?: string;
  text: string;
  html?: string;
  buttons?: Button[];
  status: MessageStatus;
  createdAt: string;
  updatedAt: string;
  sentAt?: string;
  /** When the person looked at it, also for SMS, where the sender never learns of it. */
  readAt?: string;
  errorCode?: number;
  statusCallback?: string;
  messagingServiceSid?: string;
  contentSid?: string;
  /** The message that a person's reply answers. */
  inReplyTo?: string;
}

/** The person's side of a message: the phone or mailbox it belongs to. */
export const personOf = (message: Message): string => (message.direction === 'outbound' ? message.to : message.from);

/** An identifier in the provider's form: two letters and 32 hexadecimal digits. */
export const newSid = (prefix: 'SM' | 'HX' | 'EM'): string => prefix + randomBytes(16).toString('hex');
