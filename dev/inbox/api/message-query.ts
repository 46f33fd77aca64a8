import { z } from 'zod';
import { type Message, personAddressOf } from '../message';
import { parseAddress } from '../twilio/address';

/** The query of GET /api/messages. `to`: the phone or mailbox of the person. */
export const messageQuerySchema = z.object({
  to: z.string().optional(),
  channel: z.enum(['sms', 'whatsapp', 'voice', 'email']).optional(),
  direction: z.enum(['outbound', 'all']).default('outbound'),
  limit: z.coerce.number().int().min(1).optional(),
});

/** Selects messages by person, channel and direction. */
export function selectMessages(messages: Message[], query: z.infer<typeof messageQuerySchema>): Message[] {
  const person = query.to === undefined || query.to === '' ? undefined : normalizeAddress(query.to);
  return messages
    .filter(
      (message) =>
        (query.direction === 'all' || message.direction === 'outbound') &&
        (query.channel === undefined || query.channel === message.channel) &&
        (person === undefined || person === personAddressOf(message).toLowerCase()),
    )
    .slice(0, query.limit);
}

/** An address in lower case. Adds the plus sign of a phone if it is missing. */
function normalizeAddress(address: string): string {
  const { number } = parseAddress(address);
  if (number.includes('@')) return number.toLowerCase();
  return /^\d/.test(number) ? `+${number}` : number.toLowerCase();
}
