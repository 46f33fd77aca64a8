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
