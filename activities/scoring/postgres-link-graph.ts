import type { Observation, ObservedKind } from '../../domain/scoring/evidence';
import type { Keys } from '../../platform/keys/service-keys';
import type { Pool } from '../../platform/postgres/postgres';
import { type CircleObservation, findObservations, saveObservations } from '../../store/record/observations.sql';
import { circleOfTenant, hashReference } from '../../store/record/observed-values';
import type { LinkGraph } from './link-graph';
import { observationOf } from './observation-of';

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
      const { confirmed, denied } = foundObservations.find(isOwn) ?? {
        confirmed: { phone: false, email: false },
        denied: false,
      };
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
