import type { TransactionInput } from '../../../domain/transaction';
import { isCompany } from './document';

/**
 * Years completed at an instant (ISO 8601), by its date in UTC. Who was born on 29 February completes them on 1 March
 * of common years. Undefined without a birth date, for one that is no date or after that day, and for a company.
 */
export function findAge(input: TransactionInput, createdAt: string): number | undefined {
  const initial = input.birthdate;
  const today = dateOf(createdAt);
  if (initial === undefined || today === undefined || isCompany(input)) return undefined;
  if (dateOf(initial) !== initial || initial > today) return undefined;
  const birthdayToCome = today.slice(5) < initial.slice(5);
  return Number(today.slice(0, 4)) - Number(initial.slice(0, 4)) - (birthdayToCome ? 1 : 0);
}

/** YYYY-MM-DD in UTC; undefined for a text that is no instant. */
function dateOf(instant: string): string | undefined {
  const ms = Date.parse(instant);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
}
