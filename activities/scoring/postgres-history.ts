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
 * The graph of links in Postgres. A sighting is kept before others are looked for: of two transactions at once, at
 * least one sees the other. Two round trips.
 */
export function createPostgresHistory(pool: Pool, keys: Pick<Keys, 'observation'>): History {
  return {
    async observe(subject, scope, withinDays) {
      const circles = [`tenant/${subject.tenant}`, ...(scope === shared ? [shared] : [])];
      const mine = circles.map((circle) => ({ circle, ...observationOf(keys, subject, circle) }));
      await saveObservations(pool, mine);
      const seen = await findObservations(pool, mine, withinDays);
      const isMine = (one: Observation) => one.tenant === subject.tenant && one.transactionId === subject.id;
      const { confirmed, denied } = seen.find(isMine) ?? { confirmed: { phone: false, email: false }, denied: false };
      const others = seen.filter((one) => !isMine(one));
      const [own, ...rest] = oneEach([...mine, ...others]);
      if (!own) throw new Error('A transaction has no sighting of its own.');
      return { own: { ...own, confirmed, denied }, others: rest };
    },
  };
}

const keyOf = ({ tenant, transactionId }: Observation) => JSON.stringify([tenant, transactionId]);

/** Each transaction once, in the order given. What is in two circles has its shared values. */
function oneEach(observations: readonly CircleObservation[]): Observation[] {
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
 * Shared values by own values, as far as transactions in both circles tell. A tenant that has begun to share has older
 * transactions in its own circle alone: without this, one document of theirs would look like two.
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
