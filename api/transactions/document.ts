import { z } from 'zod';
import { checkedKinds, hasRightCheckDigits, kindOf } from '../../domain/check-digits';

/** Dots, hyphens, slashes and spaces only make a document easier to read. */
const unmasked = (value: string) => value.replace(/[.\-/\s]/g, '');

/** A document of any kind. Longest known: 18 characters with its mask. */
export const documentNumber = z
  .string('must be a string')
  .max(40, 'must have at most 40 characters')
  .transform(unmasked)
  .pipe(z.string().regex(/^[0-9A-Za-z]{1,30}$/, 'must be 1 to 30 letters and digits; its mask may stay'));

export const documentType = z
  .string('must be a string')
  .regex(
    /^\p{Script=Latin}(?:[\p{Script=Latin}\p{N} _-]{0,28}[\p{Script=Latin}\p{N}])?$/u,
    'must be the name of a kind of document, such as CPF or CNPJ',
  );

const forms = {
  CPF: 'must have 11 digits for a CPF',
  CNPJ: 'must have 12 letters or digits and 2 digits for a CNPJ',
} as const;

const isChecked = (kind: string): kind is keyof typeof checkedKinds => Object.hasOwn(checkedKinds, kind);

/** The document as it is kept, or what is wrong with it. Wrong check digits are a finding, unless `strict` refuses them. */
export function readDocument(
  type: string | undefined,
  document: string,
  strict: boolean,
): { document: string } | { fault: string } {
  const kind = kindOf(type ?? '');
  if (!isChecked(kind)) return { document };
  const kept = document.toUpperCase();
  if (!checkedKinds[kind].form.test(kept)) return { fault: forms[kind] };
  if (strict && !hasRightCheckDigits(kind, kept)) return { fault: 'has wrong check digits' };
  return { document: kept };
}
