import { z } from 'zod';
import { checkedKinds, hasRightCheckDigits, kindOf } from '../../domain/check-digits';

const unmasked = (value: string) => value.replace(/[.\-/\s]/g, '');

/** A document of any kind, with or without its mask. The longest known has 18 characters. */
export const documentNumber = z
  .string('must be a string')
  .max(40, 'must have at most 40 characters')
  .transform(unmasked)
  .pipe(z.string().regex(/^[0-9A-Za-z]{1,30}$/, 'must have 1 to 30 letters and digits, with or without its mask'));

export const documentType = z
  .string('must be a string')
  .regex(
    /^\p{Script=Latin}(?:[\p{Script=Latin}\p{N} _-]{0,28}[\p{Script=Latin}\p{N}])?$/u,
    'must be the name of a document type, such as CPF or CNPJ',
  );

const forms = {
  CPF: 'must have 11 digits for a CPF',
  CNPJ: 'must have 12 letters or digits and 2 digits for a CNPJ',
} as const;

const isChecked = (kind: string): kind is keyof typeof checkedKinds => Object.hasOwn(checkedKinds, kind);

/** The document in the form to save, or its issue. Wrong check digits are an issue only if `strict`; otherwise they are a finding. */
export function readDocument(
  type: string | undefined,
  document: string,
  strict: boolean,
): { document: string } | { issue: string } {
  const kind = kindOf(type ?? '');
  if (!isChecked(kind)) return { document };
  const upperCase = document.toUpperCase();
  if (!checkedKinds[kind].form.test(upperCase)) return { issue: forms[kind] };
  if (strict && !hasRightCheckDigits(kind, upperCase)) return { issue: 'has wrong check digits' };
  return { document: upperCase };
}
