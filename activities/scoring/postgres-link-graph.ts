import type { Observation, ObservedKind } from '../../domain/scoring/evidence';
import { DataErasedError } from '../../platform/keys/data-keys';
import type { Keys } from '../../platform/keys/service-keys';
import type { Pool } from '../../platform/postgres/postgres';
import {
  type CircleObservation,
  circleOfTenant,
  findObservations,
  hashObservedValue,
  hashReference,
  saveObservations,
  searchableValues,
} from '../../store/transactions/observations.sql';
import type { AssessedTransaction, LinkGraph } from './evidence/links';
import type { TransactionInput } from '../../domain/transactions/input';
import { normalizeText } from '../../messages/mailboxes';
import { namesWithoutParticles } from './names';

/** The circle of all tenants that share their history. */
const sharedCircle = 'shared';

/**
 * The link graph in Postgres. It saves the observation of a transaction before it reads other observations. So of two transactions that are
 * assessed at the same time, at least one finds the other. Each call makes two round trips to Postgres.
 */
export function createPostgresLinkGraph(pool: Pool, keys: Pick<Keys, 'observation'>): LinkGraph {
  return {
    async addAndFindRelated(transaction, observedTenants, withinDays) {
      const circles = [circleOfTenant(transaction.tenant), ...(observedTenants === sharedCircle ? [sharedCircle] : [])];
      const ownObservations = circles.map((circle) => ({ circle, ...observationOf(keys, transaction, circle) }));
      const reference = hashReference(keys, transaction.tenant, transaction.input);
      await saveObservations(
        pool,
        ownObservations.map((one) => ({ ...one, ...(one.circle === sharedCircle ? {} : { reference }) })),
      );
      const foundObservations = await findObservations(pool, ownObservations, withinDays);
      const isOwn = (one: Observation) => one.tenant === transaction.tenant && one.transactionId === transaction.id;
      const saved = foundObservations.find(isOwn);
      // Of an erased transaction, no observation is saved. Its data must not reach third parties.
      if (!saved) throw new DataErasedError({ tenant: transaction.tenant, owner: transaction.id });
      const { confirmed, denied } = saved;
      const others = foundObservations.filter((one) => !isOwn(one));
      const [ownObservation, ...otherTransactions] = uniqueTransactions([...ownObservations, ...others]);
      if (!ownObservation) throw new Error('The observation of the transaction was not saved: this is a bug.');
      return { own: { ...ownObservation, confirmed, denied }, others: otherTransactions };
    },
  };
}

/** A text that identifies the transaction of an observation. */
const keyOf = ({ tenant, transactionId }: Observation) => JSON.stringify([tenant, transactionId]);

/**
 * Returns one observation per transaction, in the given order. If a transaction is in the circle of its tenant and in the
 * shared circle, returns its observation in the shared circle.
 */
function uniqueTransactions(observations: readonly CircleObservation[]): Observation[] {
  const sharedObservations = new Map(
    observations.filter(({ circle }) => circle === sharedCircle).map((one) => [keyOf(one), one]),
  );
  const sharedValues = mapToSharedValues(observations, sharedObservations);
  const byTransaction = new Map<string, Observation>();
  for (const { circle: _, ...observation } of observations) {
    const { circle: __, ...preferred } = sharedObservations.get(keyOf(observation)) ?? { circle: '', ...observation };
    const values = Object.entries(preferred.values).map(([kind, value]) => [kind, sharedValues.get(value) ?? value]);
    if (!byTransaction.has(keyOf(observation)))
      byTransaction.set(keyOf(observation), { ...preferred, values: Object.fromEntries(values) });
  }
  return [...byTransaction.values()];
}

/**
 * Maps the hash of a value in the tenant's circle to its hash in the shared circle. The hash of a value is different in each circle. If a
 * tenant starts to share its history, its older transactions are only in the circle of the tenant. Its newer transactions are in both
 * circles. Without this map, one document would have two hashes, and would count as two documents.
 */
function mapToSharedValues(
  observations: readonly CircleObservation[],
  sharedObservations: ReadonlyMap<string, Observation>,
): Map<string, string> {
  const sharedValues = new Map<string, string>();
  for (const observation of observations.filter(({ circle }) => circle !== sharedCircle)) {
    const sharedObservation = sharedObservations.get(keyOf(observation));
    for (const [kind, value] of Object.entries(observation.values) as [ObservedKind, string][]) {
      const sharedValue = sharedObservation?.values[kind];
      if (sharedValue !== undefined) sharedValues.set(value, sharedValue);
    }
  }
  return sharedValues;
}

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
