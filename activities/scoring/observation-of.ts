import type { Observation, ObservedKind } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transaction/transaction';
import type { Keys } from '../../platform/keys/service-keys';
import { normalizeText } from '../../messages/mailboxes';
import { hashObservedValue, searchableValues } from '../../store/record/observed-values';
import type { AssessedTransaction } from './link-graph';
import { namesWithoutParticles } from './person-names';

function postalCodeOf({ address }: TransactionInput): string | undefined {
  const digits = address?.zipCode?.replace(/\D/g, '') ?? '';
  return digits.length === 8 ? digits : undefined;
}

/** A name of one word is too common to link two transactions. */
function nameOf({ name }: TransactionInput): string | undefined {
  const names = namesWithoutParticles(name ?? '');
  return names.length >= 2 ? names.toSorted().join(' ') : undefined;
}

/** The first six digits of the BIN and the last four digits of the card. Callers send BINs of six or eight digits, so only six count. */
function cardOf({ card }: TransactionInput): string | undefined {
  return card?.bin && card.last4 ? `${card.bin.slice(0, 6)} ${card.last4}` : undefined;
}

/** Reads and normalizes the value of each kind of data, so that different spellings become equal. Undefined without a usable value. */
const normalizers: Record<ObservedKind, (input: TransactionInput) => string | undefined> = {
  ...searchableValues,
  ZipCode: postalCodeOf,
  Card: cardOf,
  Name: nameOf,
  Session: ({ sessionId = '' }) => normalizeText(sessionId) || undefined,
};

/**
 * The observation of a new transaction, whose person has confirmed and denied nothing. `circle`: the tenants that can read the
 * observation, which are one tenant, or all tenants that share their history.
 */
export function observationOf(
  keys: Pick<Keys, 'observation'>,
  transaction: AssessedTransaction,
  circle: string,
): Observation {
  const { tenant, id, input, createdAt } = transaction;
  const values = Object.entries(normalizers).flatMap(([kind, normalize]) => {
    const value = normalize(input);
    return value === undefined ? [] : [[kind, hashObservedValue(keys, circle, kind as ObservedKind, value)] as const];
  });
  return {
    tenant,
    transactionId: id,
    at: createdAt,
    values: Object.fromEntries(values),
    confirmed: { phone: false, email: false },
    denied: false,
  };
}
