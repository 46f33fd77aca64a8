import type { TransactionInput } from '../../../domain/transaction/transaction';
import { isCompany } from './document';

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
