import { randomBytes } from 'node:crypto';

export type Channel = 'sms' | 'whatsapp' | 'email' | 'voice';
/** The channels of messages that Twilio delivers. */
export type PhoneChannel = Exclude<Channel, 'email' | 'voice'>;

/** The delivery status of a message, with the names that Twilio uses. A mail is `delivered` at once. A reply of a person is `received`. */
export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'undelivered' | 'received' | CallStatus;

/** The status of a call, with the names that Twilio uses. */
export type CallStatus = 'initiated' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer';

/** A quick-reply button: its text, and what the provider sends when it is pressed. */
export interface Button {
  title: string;
  payload: string;
}

/** A button of WhatsApp that copies a code: its text and the code. */
export interface CopyButton {
  title: string;
  code: string;
}

/** The gateways that the inbox simulates beside Twilio. */
export type GatewayName = 'infobip' | 'vonage';

/** What a call has in addition. */
export interface CallDetails {
  /** Where the sender says what the call says. */
  url: string;
  /** The statuses that the sender wants to know. */
  events: readonly string[];
  ringSeconds: number;
  answeredBy?: 'human' | 'machine_start';
  /** Where to ask again if the person presses a key. Absent: a key does nothing. */
  keyUrl?: string;
}

/** One message to or from a person, or a call. The text of a call is what it said. Phones are in E.164, without a prefix for the channel. */
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
  copyButton?: CopyButton;
  status: MessageStatus;
  createdAt: string;
  updatedAt: string;
  sentAt?: string;
  /** When the person read the message. For an SMS, this is not reported to the sender. */
  readAt?: string;
  errorCode?: number;
  statusCallback?: string;
  /** The gateway that got the message, if it was not Twilio, and the id that the sender gave to the message there. */
  gateway?: GatewayName;
  reference?: string;
  messagingServiceSid?: string;
  call?: CallDetails;
  /** The id of the template from which the message was made. */
  contentSid?: string;
  /** The id of the message to which the person replied. */
  inReplyTo?: string;
}

/** The phone or mailbox of the person. */
export const personAddressOf = (message: Message): string =>
  message.direction === 'outbound' ? message.to : message.from;

/** An id in the format of the provider: two letters and 32 hexadecimal digits. */
export const newSid = (prefix: 'SM' | 'HX' | 'EM' | 'CA'): string => prefix + randomBytes(16).toString('hex');
