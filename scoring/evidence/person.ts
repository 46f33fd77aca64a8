import {
  hasRightCheckDigits,
  isRepeatedDigit,
  normalizeDocumentType,
  type TransactionInput,
} from '../../domain/transactions/input';
import type { Evidence } from '../../domain/scoring/evidence';
import { nameLikeness } from '../names';
import { namesWithoutParticles, wordsOf } from '../../domain/scoring/name-words';

/** States of each fiscal region. The ninth digit of a CPF is the region in which it was issued. */
const statesOfFiscalRegion: readonly (readonly string[])[] = [
  ['RS'],
  ['DF', 'GO', 'MS', 'MT', 'TO'],
  ['AC', 'AM', 'AP', 'PA', 'RO', 'RR'],
  ['CE', 'MA', 'PI'],
  ['AL', 'PB', 'PE', 'RN'],
  ['BA', 'SE'],
  ['MG'],
  ['ES', 'RJ'],
  ['SP'],
  ['PR', 'SC'],
];

/** The evidence for a document of an unknown kind. No rule about digits or letters holds for such a document. */
export const unknownDocument: Evidence['document'] = {
  kind: 'unknown',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
};

function cpfEvidence(document: string): Evidence['document'] {
  const hasRightDigits = hasRightCheckDigits('CPF', document);
  const states = hasRightDigits ? statesOfFiscalRegion[Number(document[8])] : undefined;
  return {
    kind: 'CPF',
    checkDigits: hasRightDigits ? 'right' : 'wrong',
    repeated: isRepeatedDigit(document),
    alphanumeric: false,
    ...(states ? { states: [...states] } : {}),
  };
}

function cnpjEvidence(document: string): Evidence['document'] {
  return {
    kind: 'CNPJ',
    checkDigits: hasRightCheckDigits('CNPJ', document) ? 'right' : 'wrong',
    repeated: isRepeatedDigit(document),
    alphanumeric: /[A-Z]/.test(document),
  };
}

/** Evidence from a CPF or CNPJ itself, with or without punctuation. */
export function documentEvidence({ documentType, document }: TransactionInput): Evidence['document'] {
  const documentNumber = normalizeDocument(document);
  const kind = normalizeDocumentType(documentType);
  if (kind === 'CPF') return cpfEvidence(documentNumber);
  return kind === 'CNPJ' ? cnpjEvidence(documentNumber) : unknownDocument;
}

/** Converts a document to upper case, without dots, hyphens, slashes and spaces. */
export function normalizeDocument(document: string): string {
  return document.toUpperCase().replace(/[\s./-]/g, '');
}

/** Whether the transaction is of a company, which has no mother, no age and no personal name. */
export function isCompany({ documentType }: Pick<TransactionInput, 'documentType'>): boolean {
  return normalizeDocumentType(documentType) === 'CNPJ';
}

/**
 * Age in full years on the UTC date of `createdAt` (ISO 8601). A person born on 29 February gets older on 1 March if the year has
 * no 29 February. Undefined without a valid birth date, for a birth date in the future, and for a company.
 */
export function findAge(input: TransactionInput, createdAt: string): number | undefined {
  const birthDate = input.birthdate;
  const creationDate = dateOf(createdAt);
  if (birthDate === undefined || creationDate === undefined || isCompany(input)) return undefined;
  if (dateOf(birthDate) !== birthDate || birthDate > creationDate) return undefined;
  const isBeforeBirthday = creationDate.slice(5) < birthDate.slice(5);
  return Number(creationDate.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (isBeforeBirthday ? 1 : 0);
}

/** YYYY-MM-DD in UTC; undefined for a text that is not a time. */
function dateOf(instant: string): string | undefined {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}

/**
 * Two names with this likeness or more count as the name of one person. The value is high, because mother and daughter often have similar
 * names, such as Maria and Mariana.
 */
const sameNameMin = 0.98;

/** Last words of a name that mark a generation, such as `junior`. They are not family names. */
const generationSuffixes = new Set([
  'filha',
  'filho',
  'junior',
  'jr',
  'neta',
  'neto',
  'segundo',
  'sobrinha',
  'sobrinho',
]);

/**
 * Finds how many words a person's name has, without particles such as `da`. Also finds whether the name is unusual: it has characters such
 * as digits, or a letter three times in a row. Undefined without a name, and for a company, whose name may have digits.
 */
export function nameEvidence(input: TransactionInput): Evidence['name'] {
  const name = input.name?.trim();
  if (!name || isCompany(input)) return undefined;
  const hasStrangeCharacters = /[^\p{L}\p{M}\s'’`´.\-‐‑]/u.test(name);
  return {
    words: namesWithoutParticles(name).length,
    unusual: hasStrangeCharacters || wordsOf(name).some((word) => /(.)\1\1/u.test(word)),
  };
}

/**
 * Compares the mother's name with the person's name. Undefined if one of the two names is absent or has no letters, and for a company.
 * The names share a family name if the last word of one name is also in the other name. The first word of the other name does not count,
 * because it is a given name. Other shared words do not count, such as Maria in Ana Maria Silva and Rita Maria Costa.
 */
export function motherEvidence(input: TransactionInput): Evidence['mother'] {
  const { name = '', mothersName = '' } = input;
  const likeness = isCompany(input) ? undefined : nameLikeness(name, mothersName);
  if (likeness === undefined) return undefined;
  const [personFamilyNames, mothersFamilyNames] = [familyNames(name), familyNames(mothersName)];
  const sharesFamilyName =
    isLastNameIn(personFamilyNames, mothersFamilyNames) || isLastNameIn(mothersFamilyNames, personFamilyNames);
  return { sameAsPerson: likeness >= sameNameMin, sharesFamilyName };
}

/** All words of a name except the first, without particles and without words such as `junior`. */
function familyNames(name: string): string[] {
  return namesWithoutParticles(name)
    .slice(1)
    .filter((word) => !generationSuffixes.has(word));
}

/** Whether the last of `names` is one of `others`. */
function isLastNameIn(names: readonly string[], others: readonly string[]): boolean {
  const last = names.at(-1);
  return last !== undefined && others.includes(last);
}
