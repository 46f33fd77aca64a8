import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { nameLikeness } from '../name-likeness';
import { namesWithoutParticles, wordsOf } from '../person-names';
import { isCompany } from './document';

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
