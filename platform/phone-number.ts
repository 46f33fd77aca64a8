import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

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
  return { country: phone.countryCallingCode, prefix: e164.slice(0, -digitsAfterPrefix) };
}
