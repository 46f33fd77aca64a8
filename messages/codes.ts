import { createHmac } from 'node:crypto';
import type { Keys } from '../platform/keys/service-keys';
import { canonicalMailbox } from './mailboxes';
import { canonicalPhone } from './phone-numbers';

/** The keys, and which phones and mailboxes have a code of zeros. */
export interface CodeKeys extends Keys {
  /** Absent if test mode is off, so it is always absent in production. */
  hasTestCode?: (destination: string) => boolean;
}

function hmac(key: Buffer, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/**
 * The code of one confirmation: decimal digits with leading zeros. It is derived from 64 bits of a keyed hash, similar to HOTP (RFC 4226),
 * so all messages of the confirmation have the same code. All codes are almost equally likely (bias below 10^-10). `digits`: the length of
 * the code. `destination`: the phone or mailbox that gets the code. In test mode, the code of a test phone or mailbox is all zeros.
 */
export function deriveCode(
  keys: CodeKeys,
  transactionId: string,
  confirmationId: string,
  digits = 6,
  destination?: string,
): string {
  if (destination !== undefined && keys.hasTestCode?.(destination)) return '0'.repeat(digits);
  const number = hmac(keys.code, [transactionId, confirmationId]).readBigUInt64BE(0);
  return String(number % 10n ** BigInt(digits)).padStart(digits, '0');
}

/**
 * Keyed digest of a code that a person typed. `code`: its digits (`readTypedCode`). The digest is different for each transaction, for each
 * name of confirmation settings, and for other values that the person confirms. `valuesHash`: the hash of these values, if there are any.
 */
export function digestTypedCode(
  keys: Keys,
  transactionId: string,
  settingsName: string,
  code: string,
  valuesHash?: string,
): string {
  const parts = [transactionId, settingsName, code, ...(valuesHash === undefined ? [] : [valuesHash])];
  return hmac(keys.digest, parts).toString('base64url');
}

/** Keyed digest of the correct code of a confirmation. `name`: the name of the confirmation settings. `values`: what the person confirms. */
export function digestCorrectCode(
  keys: CodeKeys,
  transactionId: string,
  confirmationId: string,
  {
    name,
    codeDigits,
    destination,
    values,
  }: {
    name: string;
    codeDigits?: number | undefined;
    destination?: string | undefined;
    values?: { hash: string } | undefined;
  },
): string {
  const code = deriveCode(keys, transactionId, confirmationId, codeDigits, destination);
  return digestTypedCode(keys, transactionId, name, code, values?.hash);
}

/**
 * Keyed hash of a phone (in E.164) or mailbox. Tables have this hash instead of the address. All spellings of a phone or mailbox have the
 * same hash, so they share its limits, its opt-out and its replies.
 */
export function hashDestination(keys: Keys, destination: string): string {
  return hmac(keys.destination, [canonicalMailbox(destination) ?? canonicalPhone(destination)]).toString('base64url');
}

/**
 * Keyed hash of one or more texts, such as a request, an idempotency key or a send id. Equal texts have equal hashes, and the hash does not
 * reveal the texts.
 */
export function keyedHash(keys: Keys, ...parts: string[]): string {
  return hmac(keys.keyedHash, parts).toString('base64url');
}
