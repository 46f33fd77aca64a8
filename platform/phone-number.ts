import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { phoneSpellings } from './phone-spellings';

/** The country and the prefix of a phone number that may get messages. */
export interface PhoneRange {
  /** Dial code of the country, such as `55`. */
  country: string;
  /** The number without its last four digits: a block of 10,000 numbers, which usually has one carrier (phone company). */
  prefix: string;
}

/** How many digits at the end of a number are not in its prefix. */
const digitsAfterPrefix = 4;

/** Types of numbers that people own, and for which the sender of a message pays no extra charge. */
const personalTypes = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE', 'VOIP', 'PERSONAL_NUMBER']);

/**
 * The range of a number in E.164. Undefined if the number cannot exist in its country, because its area code or length is not in use.
 * Also undefined for numbers that persons do not own, such as premium-rate numbers. Source: the metadata of libphonenumber.
 */
export function phoneRangeOf(e164: string): PhoneRange | undefined {
  const phone = parsePhoneNumberFromString(e164);
  if (!phone?.isValid() || !personalTypes.has(phone.getType() ?? '')) return undefined;
  return { country: phone.countryCallingCode, prefix: phone.number.slice(0, -digitsAfterPrefix) };
}

/**
 * The number in E.164 that dialing these digits reaches, such as +33612345678 for +330612345678: without a digit that is only for calls
 * within the country. Undefined if no such number can exist.
 */
export function reachedNumber(digits: string): string | undefined {
  const phone = parsePhoneNumberFromString(digits);
  return phone?.isValid() ? phone.number : undefined;
}

/**
 * A text that is the same for all spellings of one phone number, to compare numbers. A text that is no phone number stays the same, in
 * lower case. Never send messages to the result: some providers know the phone only under another spelling.
 */
export function canonicalPhone(number: string): string {
  const e164: string = parsePhoneNumberFromString(number)?.number ?? number.toLowerCase();
  const spelling = phoneSpellings.find(({ pattern }) => pattern.test(e164));
  return spelling ? e164.replace(spelling.pattern, spelling.canonical) : e164;
}
