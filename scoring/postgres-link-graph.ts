import type { Observation, ObservedKind } from '../domain/scoring/evidence';
import { DataErasedError } from '../platform/keys/data-keys';
import type { Pool } from '../platform/postgres/postgres';
import { asService } from '../platform/postgres/tenant-scope';
import {
  type CircleObservation,
  copyFactsToObservations,
  findObservations,
  saveObservations,
} from '../store/transactions/observations.sql';
import {
  circleOfTenant,
  type ObservationKey,
  observationOf,
  sharedCircle,
} from '../store/transactions/observed-values';
import type { AssessedTransaction, LinkGraph } from './evidence/links';

/**
 * The link graph in Postgres. The observation of a transaction is saved before other observations are read. So of two transactions that are
 * assessed at the same time, at least one finds the other. The create has saved the observation in the circle of the tenant. It is missing in
 * other circles, and after the restore of an older backup.
 */
export function createPostgresLinkGraph(pool: Pool, keys: ObservationKey): LinkGraph {
  return {
    async addAndFindRelated(transaction, observedTenants, withinDays) {
      const isShared = observedTenants === sharedCircle;
      const circles = [circleOfTenant(transaction.tenant), ...(isShared ? [sharedCircle] : [])];
      const ownObservations = circles.map((circle) => observationOf(keys, transaction, circle));
      const findOwn = () => findObservations(pool, ownObservations, withinDays);
      // The shared circle has observations of other tenants.
      const find = () => (isShared ? asService(findOwn) : findOwn());
      const saveAndFind = async () => {
        await saveObservations(pool, ownObservations);
        await copyFactsToObservations(pool, transaction.tenant, transaction.id);
        return find();
      };
      const isOwn = isOf(transaction);
      const found = isShared ? [] : await find();
      const foundObservations = found.some(isOwn) ? found : await saveAndFind();
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

const isOf =
  ({ tenant, id }: AssessedTransaction) =>
  (one: Observation): boolean =>
    one.tenant === tenant && one.transactionId === id;

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
  for (const { circle: _, reference: _reference, ...observation } of observations) {
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
