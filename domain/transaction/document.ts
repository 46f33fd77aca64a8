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
