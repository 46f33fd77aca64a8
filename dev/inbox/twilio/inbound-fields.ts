import type { Button, Message } from '../message';
import { toAddress } from './address';
import { countSegments } from './segments';
import { apiVersion } from './status-fields';

/** The form fields of the inbound webhook for a reply of a person. `answered`: the message of the service to which the person replies. */
export function inboundFields(
  reply: Message,
  answered: Message,
  button: Button | undefined,
  accountSid: string,
): Record<string, string> {
  const { channel } = reply;
  const sharedFields = {
    AccountSid: accountSid,
    ApiVersion: apiVersion,
    Body: reply.text,
    From: toAddress(reply.from, channel),
    MessageSid: reply.id,
    NumMedia: '0',
    NumSegments: channel === 'sms' ? String(countSegments(reply.text)) : '1',
    SmsMessageSid: reply.id,
    SmsSid: reply.id,
    SmsStatus: 'received',
    To: toAddress(reply.to, channel),
    ...(answered.messagingServiceSid !== undefined && { MessagingServiceSid: answered.messagingServiceSid }),
  };
  if (channel === 'whatsapp') return { ...sharedFields, ...whatsappFields(reply, answered, button) };
  // The provider adds the place of each number. For mobile numbers, it knows only the country.
  const places = { City: '', State: '', Zip: '', Country: reply.from.startsWith('+55') ? 'BR' : '' };
  const placeFields = Object.entries(places).flatMap(([name, value]) => [
    [`From${name}`, value],
    [`To${name}`, name === 'Country' && !reply.to.startsWith('+55') ? '' : value],
  ]);
  return { ...sharedFields, ...(Object.fromEntries(placeFields) as Record<string, string>) };
}

function whatsappFields(reply: Message, answered: Message, button: Button | undefined): Record<string, string> {
  const waId = reply.from.replace('+', '');
  const profileName = `Phone ${reply.from.slice(-4)}`;
  return {
    ChannelMetadata: JSON.stringify({
      type: 'whatsapp',
      data: { context: { ProfileName: profileName, WaId: waId } },
    }),
    MessageType: button ? 'button' : 'text',
    ProfileName: profileName,
    ReferralNumMedia: '0',
    WaId: waId,
    ...(button && {
      ButtonPayload: button.payload,
      ButtonText: button.title,
      OriginalRepliedMessageSender: toAddress(answered.from, 'whatsapp'),
      OriginalRepliedMessageSid: answered.id,
    }),
  };
}
