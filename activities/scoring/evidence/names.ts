import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { nameLikeness } from '../name-likeness';
import { personNames, wordsOf } from '../person-names';
import { isCompany } from './document';

/** Below this, the names are of two people: a daughter's may differ from her mother's by a letter or two (Maria, Mariana). */
const sameFrom = 0.98;

/** Last words that mark a generation and are not family names. */
const generations = new Set(['filha', 'filho', 'junior', 'jr', 'neta', 'neto', 'segundo', 'sobrinha', 'sobrinho']);

/** The form of a person's name. Undefined without one, and for a company, whose name may have digits and symbols. */
export function findName(input: TransactionInput): Evidence['name'] {
  const name = input.name?.trim();
  if (!name || isCompany(input)) return undefined;
  const strange = /[^\p{L}\p{M}\s'’`´.\-‐‑]/u.test(name);
  return { words: personNames(name).length, odd: strange || wordsOf(name).some((word) => /(.)\1\1/u.test(word)) };
}

/**
 * How the mother's name relates to the person's. Undefined if one of them is absent or has no letters, and for a company. They share
 * a family name if the last name of one is among the names after the other's first name: a common second name, as in Ana Maria,
 * does not count.
 */
export function findMother(input: TransactionInput): Evidence['mother'] {
  const { name = '', mothersName = '' } = input;
  const likeness = isCompany(input) ? undefined : nameLikeness(name, mothersName);
  if (likeness === undefined) return undefined;
  const [own, mothers] = [familyNames(name), familyNames(mothersName)];
  const sharesFamilyName = ends(own, mothers) || ends(mothers, own);
  return { sameAsPerson: likeness >= sameFrom, sharesFamilyName };
}

function familyNames(name: string): string[] {
  return personNames(name)
    .slice(1)
    .filter((word) => !generations.has(word));
}

function ends(names: readonly string[], others: readonly string[]): boolean {
  const last = names.at(-1);
  return last !== undefined && others.includes(last);
}
