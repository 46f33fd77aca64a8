import { z } from 'zod';
import { expecting } from './texts';

/** Dots, hyphens, slashes and spaces only make a document easier to read. */
const unmasked = (value: string) => value.replace(/[.\-/\s]/g, '');

/** A document of any kind. Longest known: 18 characters with its mask. */
export const documentNumber = z
  .string(expecting('must be a string'))
  .max(40, 'must have at most 40 characters')
  .transform(unmasked)
  .pipe(z.string().regex(/^[0-9A-Za-z]{1,30}$/, 'must be 1 to 30 letters and digits; its mask may stay'));

export const documentType = z
  .string(expecting('must be a string'))
  .regex(/^[\p{L}][\p{L}\p{N} _-]{0,29}$/u, 'must be the name of a kind of document, such as CPF or CNPJ');

function checkDigit(values: readonly number[], weightMax: number): number {
  const sum = values.toReversed().reduce((total, value, index) => total + value * ((index % (weightMax - 1)) + 2), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** Whether both check digits follow from what stands before them. Letters count by their place in ASCII (IN RFB 2.229/2024). */
function rightCheckDigits(document: string, weightMax: number): boolean {
  const values = Array.from(document, (character) => character.charCodeAt(0) - 48);
  return [values.length - 2, values.length - 1].every(
    (place) => checkDigit(values.slice(0, place), weightMax) === values[place],
  );
}

interface DocumentKind {
  form: RegExp;
  /** Weights of the check digits run from 2 to here, then begin again. */
  weightMax: number;
  text: string;
}

const kinds: Record<string, DocumentKind> = {
  CPF: { form: /^\d{11}$/, weightMax: 11, text: 'must have 11 digits for a CPF' },
  CNPJ: { form: /^[0-9A-Z]{12}\d{2}$/, weightMax: 9, text: 'must have 12 letters or digits and 2 digits for a CNPJ' },
};

/** The document as it is kept, or what is wrong with it. Wrong check digits are a finding, unless `strict` refuses them. */
export function readDocument(
  type: string | undefined,
  document: string,
  strict: boolean,
): { document: string } | { fault: string } {
  const kind = kinds[type?.toUpperCase() ?? ''];
  if (!kind) return { document };
  const kept = document.toUpperCase();
  if (!kind.form.test(kept)) return { fault: kind.text };
  if (strict && !rightCheckDigits(kept, kind.weightMax)) return { fault: 'has wrong check digits' };
  return { document: kept };
}
