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

/** The parts of a phone number as a caller writes them: digits, or integers that have lost their leading zeros. */
export interface NumberParts {
  countryCode: number;
  areaCode?: number | string | undefined;
  number: number | string;
}

/** Digits with up to this many zeros in front. A number alone has at most one: two zeros are for calls to other countries. */
const withZeros = (part: number | string, zerosMax: number): string[] =>
  typeof part === 'string' ? [part] : Array.from({ length: zerosMax + 1 }, (_, zeros) => `${'0'.repeat(zeros)}${part}`);

/** Whether a number in E.164 can exist, with exactly these digits. */
function isExact(e164: string): boolean {
  const phone = parsePhoneNumberFromString(e164);
  return phone?.isValid() === true && phone.number === e164;
}

/**
 * The number in E.164 that a caller means. If the digits are no valid number, a digit that is only for calls within the country is removed,
 * such as the 0 in +330612345678. If they are still not valid, and an area code or number is an integer, its leading zeros are added: as few
 * as make the number valid, if only one number is valid then. Otherwise, returns the digits as they are.
 */
export function toDialedNumber({ countryCode, areaCode = '', number }: NumberParts): string {
  const digits = `+${countryCode}${areaCode}${number}`;
  const phone = parsePhoneNumberFromString(digits);
  if (phone?.isValid()) return phone.number;
  const candidates = withZeros(areaCode, 1).flatMap((area) =>
    withZeros(number, area === '' ? 1 : 3).map((line) => `+${countryCode}${area}${line}`),
  );
  const valid = candidates.filter(isExact);
  const shortest = Math.min(...valid.map(({ length }) => length));
  const [found, ...others] = valid.filter(({ length }) => length === shortest);
  return found !== undefined && others.length === 0 ? found : digits;
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
