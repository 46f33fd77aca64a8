import { limits } from '../../domain/transactions/limits';
import { type PhoneRange, phoneRangeOf } from '../../messages/phone-numbers';
import { type SendingLimits, smsSegments } from '../../messages/sending-limits';
import type { AttemptLimits } from '../../store/messages/attempts.sql';
import type { DailyLimit } from '../../store/messages/daily-sends.sql';
import type { SendLimits } from '../../store/messages/sends/reserve-send.sql';
import type { MessageToDeliver } from '../../workflows/contract/activities';

/** The limits of a tenant, and of a phone or mailbox, over all transactions. */
export interface MessageLimits {
  /**
   * The limits that a message with this text counts against. `prefix`: the phone number of the message without the last four digits.
   * Absent if the message has no limits by prefix, such as an e-mail.
   */
  ofMessage(message: MessageToDeliver, text: string): SendLimits & { prefix?: string };
  /** The limits that an attempt at a code counts against. `destination`: the phone (E.164) or the mail address that got the code. */
  ofAttempts(destination: string): AttemptLimits;
}

/** Creates the limits of messages. `sendingLimits` returns the limits that the settings define for a tenant. */
export const createMessageLimits = (sendingLimits: (tenant: string) => SendingLimits): MessageLimits => ({
  ofMessage({ tenant, destination, settings: { channel } }, text) {
    const tenantLimits = sendingLimits(tenant);
    const range = channel === 'email' ? undefined : phoneRangeOf(destination);
    return {
      destination: {
        perTenant: limits.sendsPerDestination,
        total: limits.sendsPerDestinationOfAllTenants,
        guaranteed: limits.sendsPerDestinationGuaranteed,
        windowMs: limits.destinationWindowMs,
      },
      daily: range ? dailyLimitsOf(tenantLimits, range, () => (channel === 'sms' ? smsSegments(text) : 1)) : [],
      lowAnswerRate: tenantLimits.lowAnswerRate,
      ...(range && { prefix: range.prefix }),
    };
  },
  ofAttempts: () => ({
    perTenant: limits.attemptsPerDestination,
    total: limits.attemptsPerDestinationOfAllTenants,
    windowMs: limits.destinationWindowMs,
  }),
});

/**
 * The daily limits of a tenant that one message counts against. `countSegments` returns the number of messages that the provider bills for
 * this message. It is called only if the tenant has a limit of its costs, because counting takes longer than all other work on the limits.
 */
function dailyLimitsOf(
  tenantLimits: SendingLimits,
  { country, prefix }: PhoneRange,
  countSegments: () => number,
): DailyLimit[] {
  const { messagesPerDay, messagesPerCountryPerDay, messagesPerPrefixPerDay, pricePerSegment, spendPerDay } =
    tenantLimits;
  const perCountry = messagesPerCountryPerDay[country];
  const counts: DailyLimit[] = [
    { name: 'messagesPerDay', key: '', amount: 1, max: messagesPerDay },
    { name: 'messagesPerPrefixPerDay', key: prefix, amount: 1, max: messagesPerPrefixPerDay },
  ];
  if (perCountry !== undefined)
    counts.push({ name: 'messagesPerCountryPerDay', key: country, amount: 1, max: perCountry });
  if (spendPerDay !== undefined) {
    const price = countSegments() * (pricePerSegment[country] ?? pricePerSegment['default'] ?? 0);
    // Rounded to six decimals, so that 3 segments at a price of 0.1 cost exactly 0.3.
    counts.push({ name: 'spendPerDay', key: '', amount: Number(price.toFixed(6)), max: spendPerDay });
  }
  return counts;
}
