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
