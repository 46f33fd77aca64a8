import { z } from 'zod';
import {
  hasRightCheckDigits,
  isRepeatedDigit,
  kindsWithCheckDigits,
  normalizeDocumentType,
} from '../../../domain/transactions/input';

/** Removes the punctuation of a document. */
const removeMask = (value: string) => value.replace(/[.\-/\s]/g, '');

/** The number of a document of any type, with or without its mask (punctuation). The longest known number has 18 characters. */
export const documentNumber = z
  .string('must be a string')
  .max(40, 'must have at most 40 characters')
  .regex(
    /^(?:[.\-/\s]*[0-9A-Za-z]){1,30}[.\-/\s]*$/,
    'must have 1 to 30 letters and digits, with or without punctuation (. - / or spaces)',
  )
  .overwrite(removeMask);

/** The name of a type of document. Any name in Latin letters is allowed, not only CPF and CNPJ. */
export const documentType = z
  .string('must be a string')
  .regex(
    /^\p{Script=Latin}(?:[\p{Script=Latin}\p{N} _-]{0,28}[\p{Script=Latin}\p{N}])?$/u,
    'must be the name of a document type, such as CPF or CNPJ',
  )
  .meta({ maxLength: 30 });

const formatIssues = {
  CPF: 'must have 11 digits for a CPF',
  CNPJ: 'must have 12 letters or digits and 2 digits for a CNPJ',
} as const;

const hasCheckDigits = (kind: string): kind is keyof typeof kindsWithCheckDigits =>
  Object.hasOwn(kindsWithCheckDigits, kind);

/**
 * Returns the normalized document, or what is wrong with it. If `strict` is true, wrong check digits and one repeated digit are issues. If `strict` is false,
 * the document is accepted, and scoring gives a finding for them.
 */
export function readDocument(
  type: string | undefined,
  document: string,
  strict: boolean,
): { document: string } | { issue: string } {
  const kind = normalizeDocumentType(type ?? '');
  if (!hasCheckDigits(kind)) return { document };
  const upperCase = document.toUpperCase();
  if (!kindsWithCheckDigits[kind].pattern.test(upperCase)) return { issue: formatIssues[kind] };
  if (strict && isRepeatedDigit(upperCase)) return { issue: 'must not be one repeated digit' };
  if (strict && !hasRightCheckDigits(kind, upperCase)) return { issue: 'has wrong check digits' };
  return { document: upperCase };
}
