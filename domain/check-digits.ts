/** Letters count by their place in ASCII, less 48, as digits do (IN RFB 2.229/2024): A is 17. */
const characterValue = (character: string) => character.charCodeAt(0) - 48;

/** Check digit modulo 11 over weights that grow from the right, beginning anew with 2 after the greatest. */
function checkDigit(characters: string, greatestWeight: number): number {
  const sum = Array.from(characters)
    .toReversed()
    .reduce((total, character, index) => total + characterValue(character) * (2 + (index % (greatestWeight - 1))), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** A kind of document as it is compared: however it is written, CPF is CPF. */
export function documentKindOf(documentType: string): string {
  return documentType
    .normalize('NFKC')
    .replace(/[\s._-]/g, '')
    .toUpperCase();
}

/** The kinds of document whose digits can be checked: their form without a mask, and the greatest weight. */
export const kindsWithCheckDigits = {
  CPF: { pattern: /^\d{11}$/, greatestWeight: 11 },
  CNPJ: { pattern: /^[\dA-Z]{12}\d{2}$/, greatestWeight: 9 },
} as const;

/** Whether a document, unmasked and in upper case, has the form of its kind and both its check digits. */
export function hasRightCheckDigits(kind: keyof typeof kindsWithCheckDigits, document: string): boolean {
  const { pattern, greatestWeight } = kindsWithCheckDigits[kind];
  if (!pattern.test(document)) return false;
  const base = document.slice(0, -2);
  const first = checkDigit(base, greatestWeight);
  return document.endsWith(`${first}${checkDigit(`${base}${first}`, greatestWeight)}`);
}
