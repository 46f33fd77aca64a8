/* The data that a caller supplies about a person. Documents, states and postal codes are normalized. */

export interface Address {
  zipCode?: string;
  street?: string;
  number?: string;
  complement?: string;
  district?: string;
  city?: string;
  state?: string;
  country?: string;
}

/** With the country code 55, `areaCode` has two digits. With other country codes, `areaCode` may be absent. */
export interface Phone {
  countryCode: number;
  areaCode?: number;
  number: number;
  verified?: boolean;
  /** The number in E.164, if it is not the three integers in a row: integers have lost their leading zeros. The API does not return it. */
  e164?: string;
}

/** The card of the transaction. `bin`: the first 6 or 8 digits. `last4`: the last four digits. */
export interface Card {
  bin?: string;
  last4?: string;
  ownerDocument?: string;
  ownerName?: string;
}

/**
 * What a caller can send to create a transaction. `documentType` keeps the caller's letter case. The service gives no meaning
 * to `type`, `criterion` and `channelId`.
 */
export interface TransactionInput {
  documentType: string;
  document: string;
  name?: string;
  /** Date, YYYY-MM-DD. */
  birthdate?: string;
  mothersName?: string;
  email?: string;
  verifiedEmail?: boolean;
  sessionId?: string;
  identifierId?: string;
  /** IP address of the person's device, as `readAddress` writes it. */
  endUserIp?: string;
  channelId?: string | null;
  address?: Address;
  phone?: Phone;
  /** ISO 8601 instant. */
  identifierDate?: string;
  type?: number;
  genericFields?: Record<string, string> | null;
  criterion?: number;
  card?: Card;
  secondaryDocumentType?: string;
  secondaryDocument?: string;
}

/** The `type` of a transaction if the caller sends none. SPEC, the external specification, defines this value. */
export const defaultType = 1;

/** The parts of a phone number. */
export type PhoneNumber = Pick<Phone, 'countryCode' | 'number'> & {
  areaCode?: number | undefined;
  e164?: string | undefined;
};

/** E.164 form of a phone, e.g. +5511987654321. */
export function toE164(phone: PhoneNumber): string {
  return phone.e164 ?? `+${phone.countryCode}${phone.areaCode ?? ''}${phone.number}`;
}

/** Whether the number can receive text messages. In Brazil, mobile numbers have nine digits and start with 9. */
export function isMobile(phone: Phone): boolean {
  return phone.countryCode !== 55 || /^9\d{8}$/.test(String(phone.number));
}

export type Language = 'pt-BR' | 'en' | 'es';

export const languages: readonly Language[] = ['pt-BR', 'en', 'es'];

/**
 * The language of a tag such as `es-AR` or `pt_BR`. If the language of the tag is not one of `offered`, the fallback. `offered`: by default, all
 * languages of the service.
 */
export function languageOf(
  tag: string | undefined,
  fallback: Language,
  offered: readonly Language[] = languages,
): Language {
  const wanted = tag?.slice(0, 2).toLowerCase();
  return offered.find((language) => language.slice(0, 2).toLowerCase() === wanted) ?? fallback;
}

/** What the person has confirmed or denied, and when (ISO 8601). */
export interface PersonFacts {
  phoneConfirmedAt?: string;
  emailConfirmedAt?: string;
  /** The person denied the transaction. */
  deniedAt?: string;
  /** The newest decision on images of the person. */
  biometrics?: { status: 'Approved' | 'Rejected' | 'Inconclusive'; at: string };
}

/** The client that requested a hosted page, and where the person goes afterwards. */
export interface PageRequester {
  clientId: string;
  /** The return URL, as the URL parser writes it. It was allowed when the page was requested. */
  returnUrl?: string;
}

/** The value of a digit or letter: its ASCII code minus 48, so A is 17. The Brazilian tax authority defines it in IN RFB 2.229/2024. */
const characterValue = (character: string) => character.charCodeAt(0) - 48;

/** The check digit modulo 11. The last character has the weight 2. Weights grow to the left. After the greatest weight comes 2 again. */
function checkDigit(characters: string, greatestWeight: number): number {
  const sum = Array.from(characters)
    .toReversed()
    .reduce((total, character, index) => total + characterValue(character) * (2 + (index % (greatestWeight - 1))), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** The document type in upper case and without separators, so that all spellings of CPF are equal. */
export function normalizeDocumentType(documentType: string): string {
  return documentType
    .normalize('NFKC')
    .replace(/[\s._-]/g, '')
    .toUpperCase();
}

/** A document in one form for all its spellings, such as `CPF 11144477735`. Undefined if the document has no letters and no digits. */
export function canonicalDocument({ documentType, document }: { documentType: string; document: string }) {
  const number = document.toUpperCase().replace(/[^0-9A-Z]/g, '');
  return number ? `${normalizeDocumentType(documentType)} ${number}` : undefined;
}

/** The kinds of documents with check digits. `pattern`: the form of a document without separators. `greatestWeight`: see `checkDigit`. */
export const kindsWithCheckDigits = {
  CPF: { pattern: /^\d{11}$/, greatestWeight: 11 },
  CNPJ: { pattern: /^[\dA-Z]{12}\d{2}$/, greatestWeight: 9 },
} as const;

/** Whether a document has only one digit, repeated. Such a CPF or CNPJ was never issued, although its check digits can be right. */
export const isRepeatedDigit = (document: string): boolean => /^(\d)\1+$/.test(document);

/** Whether a document, in upper case and without separators, matches the pattern of its kind and has the right check digits. */
export function hasRightCheckDigits(kind: keyof typeof kindsWithCheckDigits, document: string): boolean {
  const { pattern, greatestWeight } = kindsWithCheckDigits[kind];
  if (!pattern.test(document)) return false;
  const base = document.slice(0, -2);
  const first = checkDigit(base, greatestWeight);
  return document.endsWith(`${first}${checkDigit(`${base}${first}`, greatestWeight)}`);
}
