import type { Channel } from '../../domain/confirmation/settings';

/**
 * Reads an address of Twilio, such as `whatsapp:+5511987654321`. Each channel except SMS has its own prefix, and Twilio adds channels
 * without notice. RCS is an upgrade of SMS: the service sends an SMS, and Twilio delivers it as RCS if the phone can receive RCS. So an
 * answer over RCS, or over a channel that the service does not know, belongs to an SMS.
 */
export function parseTwilioAddress(address: string): { channel: Channel; number: string } {
  const [, prefix, number = ''] = /^(?:([a-z][\w-]*):)?(.*)$/is.exec(address) ?? [];
  return { channel: prefix?.toLowerCase() === 'whatsapp' ? 'whatsapp' : 'sms', number: number.trim() };
}
