import { createHash } from 'node:crypto';
import type { Message } from '../message';
import { toAddress } from './address';

/** The version of the REST API of Twilio, which is also in its paths. */
export const apiVersion = '2010-04-01';

/** The form fields of a status callback. */
export function statusFields(message: Message, accountSid: string): Record<string, string> {
  const to = toAddress(message.to, message.channel);
  const from = toAddress(message.from, message.channel);
  return {
    AccountSid: accountSid,
    ApiVersion: apiVersion,
    From: from,
    MessageSid: message.id,
    MessageStatus: message.status,
    SmsSid: message.id,
    SmsStatus: message.status,
    To: to,
    ...(message.errorCode !== undefined && { ErrorCode: String(message.errorCode) }),
    ...(message.messagingServiceSid !== undefined && { MessagingServiceSid: message.messagingServiceSid }),
    ...(message.channel === 'whatsapp' && whatsappFields(message, to, from)),
  };
}

function whatsappFields(message: Message, to: string, from: string): Record<string, string> {
  return {
    ChannelInstallSid: `XE${createHash('md5').update(from).digest('hex')}`,
    ChannelPrefix: 'whatsapp',
    ChannelToAddress: to.replace('whatsapp:', ''),
    StructuredMessage: 'false',
    ...(message.status !== 'sent' && { EventType: message.status.toUpperCase() }),
    ...(message.status === 'undelivered' && { ChannelStatusMessage: 'The channel could not deliver the message' }),
  };
}
