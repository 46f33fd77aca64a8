import type { Channel } from '../message';

const whatsappPrefix = 'whatsapp:';

/** A phone as Twilio writes it: with the prefix `whatsapp:` for WhatsApp, and without a prefix for SMS. */
export const toAddress = (number: string, channel: Channel): string =>
  channel === 'whatsapp' ? `${whatsappPrefix}${number}` : number;

/** Reads an address. Restores a plus sign that a query string has turned into a space. */
export function parseAddress(address: string): { channel: 'sms' | 'whatsapp'; number: string } {
  const isWhatsapp = address.toLowerCase().startsWith(whatsappPrefix);
  const plainNumber = isWhatsapp ? address.slice(whatsappPrefix.length) : address;
  return { channel: isWhatsapp ? 'whatsapp' : 'sms', number: plainNumber.replace(/^ /, '+').trim() };
}
