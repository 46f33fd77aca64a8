import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

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

const dialCodes: ReadonlySet<string> = new Set(getCountries().map((country) => getCountryCallingCode(country)));

/** The dial code at the beginning of a number in E.164, of which the first four characters are enough. Empty if there is none. */
export const dialCodeOf = (beginning: string): string =>
  [2, 3, 4].map((end) => beginning.slice(1, end)).find((digits) => dialCodes.has(digits)) ?? '';

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

/** A spelling of phone numbers in one country that differs from their number in E.164, and still names the same phone. */
interface PhoneSpelling {
  /** Numbers in E.164 with this spelling. */
  pattern: RegExp;
  /** The canonical spelling: a replacement for `pattern`. */
  canonical: string;
}

/**
 * Providers report the sender of a reply in these spellings, mostly because WhatsApp keeps the number with which a person registered, even
 * if the country has changed its numbers since then. A spelling is listed only if its canonical number cannot belong to another phone.
 *
 * Sources. Brazil and Mexico:
 * https://help.zoho.com/portal/en/kb/marketing-automation-2-0/faqs/marketing-campaigns/whatsapp/articles/what-is-the-reason-for-inconsistencies-in-mobile-numbers-and-their-whatsapp-ids-in-brazil-and-mexico,
 * and for Twilio https://github.com/chatwoot/chatwoot/pull/14174. Argentina:
 * https://support.whapi.cloud/help-desk/specifics-of-sending-messages-to-numbers-of-different-countries. Ivory Coast: the regulator,
 * https://artci.ci/en/faq/, and https://github.com/devlikeapro/waha/issues/1894. Benin: the metadata of libphonenumber, which has only
 * numbers with 01 since 2025.
 */
export const phoneSpellings: readonly PhoneSpelling[] = [
  // Brazil: mobile numbers got a 9 after the area code, from 2012 to 2016.
  { pattern: /^\+55(?<area>[1-9]\d)(?<line>[6-9]\d{7})$/, canonical: '+55$<area>9$<line>' },
  // Mexico: until 2020, mobile numbers had a 1 after the country code in calls from abroad.
  { pattern: /^\+521(\d{10})$/, canonical: '+52$1' },
  // Argentina: mobile numbers have a 9 after the country code in calls from abroad. Within the country they have a 15 after the area code
  // instead, which libphonenumber resolves.
  { pattern: /^\+54([1-3]\d{9})$/, canonical: '+549$1' },
  // Benin: in 2024, all numbers got 01 in front.
  { pattern: /^\+229([2-9]\d{7})$/, canonical: '+22901$1' },
  // Ivory Coast: in 2021, mobile numbers got the digits of their carrier in front. The second digit of an old number shows the carrier: Moov
  // has 0 to 3, MTN has 4 to 6, and Orange has 7 to 9. Old numbers that start with 2 or 3 are landlines.
  { pattern: /^\+225([014-9][0-3]\d{6})$/, canonical: '+22501$1' },
  { pattern: /^\+225([014-9][4-6]\d{6})$/, canonical: '+22505$1' },
  { pattern: /^\+225([014-9][7-9]\d{6})$/, canonical: '+22507$1' },
];
