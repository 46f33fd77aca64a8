import type { TransactionInput } from '../../../domain/transaction';
import { isCompany } from './document';

/**
 * Age in full years at a time (ISO 8601), by its date in UTC. A person born on 29 February gets older on 1 March of common years.
 * Undefined without a valid birth date, for a future one, and for a company.
 */
export function findAge(input: TransactionInput, createdAt: string): number | undefined {
  const birthDate = input.birthdate;
  const today = dateOf(createdAt);
  if (birthDate === undefined || today === undefined || isCompany(input)) return undefined;
  if (dateOf(birthDate) !== birthDate || birthDate > today) return undefined;
  const birthdayToCome = today.slice(5) < birthDate.slice(5);
  return Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4)) - (birthdayToCome ? 1 : 0);
}

/** YYYY-MM-DD in UTC; undefined for a text that is not a time. */
function dateOf(instant: string): string | undefined {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}
