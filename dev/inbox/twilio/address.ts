import type { Channel } from '../message';

const prefix = 'whatsapp:';

/** A number as the provider writes it, with a prefix for WhatsApp. */
export const toAddress = (number: string, channel: Channel): string =>
  channel === 'whatsapp' ? `${prefix}${number}` : number;

/** Reads an address. Restores a plus sign that a query string has turned into a space. */
export function parseAddress(address: string): { channel: 'sms' | 'whatsapp'; number: string } {
  const whatsapp = address.toLowerCase().startsWith(prefix);
  const rest = whatsapp ? address.slice(prefix.length) : address;
  return { channel: whatsapp ? 'whatsapp' : 'sms', number: rest.replace(/^ /, '+').trim() };
}
