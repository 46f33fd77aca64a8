import type { LinkVariable } from '../../domain/scoring/evidence';
import type { Observation } from '../../domain/scoring/observation';
import type { Keys } from '../../platform/keys';
import type { Pool } from '../../platform/postgres';
import { type CircleObservation, findObservations, saveObservations } from '../../store/record/observations.sql';
import type { History } from './history';
import { observationOf } from './observation-of';

/** The circle of all tenants that share their history. */
const shared = 'shared';

/**
 * The graph of links in Postgres. It saves the observation before it reads others, so that of two concurrent transactions at least
 * one finds the other. Two round trips.
 */
export function createPostgresHistory(pool: Pool, keys: Pick<Keys, 'observation'>): History {
  return {
    async observe(subject, scope, withinDays) {
      const circles = [`tenant/${subject.tenant}`, ...(scope === shared ? [shared] : [])];
      const ownByCircle = circles.map((circle) => ({ circle, ...observationOf(keys, subject, circle) }));
      await saveObservations(pool, ownByCircle);
      const found = await findObservations(pool, ownByCircle, withinDays);
      const isOwn = (one: Observation) => one.tenant === subject.tenant && one.transactionId === subject.id;
      const { confirmed, denied } = found.find(isOwn) ?? { confirmed: { phone: false, email: false }, denied: false };
      const others = found.filter((one) => !isOwn(one));
      const [own, ...rest] = uniqueTransactions([...ownByCircle, ...others]);
      if (!own) throw new Error('The observation of the transaction was not saved: this is a bug.');
      return { own: { ...own, confirmed, denied }, others: rest };
    },
  };
}

const keyOf = ({ tenant, transactionId }: Observation) => JSON.stringify([tenant, transactionId]);

/** Each transaction once, in the given order. A transaction in two circles has its shared values. */
function uniqueTransactions(observations: readonly CircleObservation[]): Observation[] {
  const sharedOnes = new Map(observations.filter(({ circle }) => circle === shared).map((one) => [keyOf(one), one]));
  const translated = translations(observations, sharedOnes);
  const once = new Map<string, Observation>();
  for (const { circle: _, ...one } of observations) {
    const { circle: __, ...best } = sharedOnes.get(keyOf(one)) ?? { circle: '', ...one };
    const values = Object.entries(best.values).map(([variable, value]) => [variable, translated.get(value) ?? value]);
    if (!once.has(keyOf(one))) once.set(keyOf(one), { ...best, values: Object.fromEntries(values) });
  }
  return [...once.values()];
}

/**
 * Maps values of the tenant's circle to shared values, by the transactions in both circles. When a tenant starts to share, its older
 * transactions are only in its own circle: without this, one document would look like two.
 */
function translations(
  observations: readonly CircleObservation[],
  sharedOnes: ReadonlyMap<string, Observation>,
): Map<string, string> {
  const known = new Map<string, string>();
  for (const one of observations.filter(({ circle }) => circle !== shared)) {
    const twin = sharedOnes.get(keyOf(one));
    for (const [variable, value] of Object.entries(one.values) as [LinkVariable, string][]) {
      const sharedValue = twin?.values[variable];
      if (sharedValue !== undefined) known.set(value, sharedValue);
    }
  }
  return known;
}
