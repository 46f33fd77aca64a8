import type { Message } from '../message';
import { toAddress } from './address';
import { countSegments } from './segments';
import { apiVersion } from './status-fields';

/** A message in the format of the provider, with all documented fields. */
export function toMessageResource(message: Message, accountSid: string) {
  const uri = `/${apiVersion}/Accounts/${accountSid}/Messages/${message.id}`;
  return {
    account_sid: accountSid,
    api_version: apiVersion,
    body: message.text,
    date_created: toRfc2822(message.createdAt),
    date_sent: message.sentAt === undefined ? null : toRfc2822(message.sentAt),
    date_updated: toRfc2822(message.updatedAt),
    direction: message.direction === 'outbound' ? 'outbound-api' : 'inbound',
    error_code: message.errorCode ?? null,
    error_message: message.errorCode === undefined ? null : 'The message was not delivered',
    from: toAddress(message.from, message.channel),
    messaging_service_sid: message.messagingServiceSid ?? null,
    num_media: '0',
    num_segments: message.channel === 'sms' ? String(countSegments(message.text)) : '1',
    price: null,
    price_unit: 'USD',
    sid: message.id,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: toAddress(message.to, message.channel),
    uri: `${uri}.json`,
  };
}

export const toRfc2822 = (iso: string): string => new Date(iso).toUTCString().replace('GMT', '+0000');
