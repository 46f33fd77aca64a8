import type { LinkVariable } from '../../domain/scoring/evidence';
import type { Sighting } from '../../domain/scoring/sighting';
import type { Keys } from '../../platform/keys';
import type { Pool } from '../../platform/postgres';
import { type CircleSighting, findSightings, keepSightings } from '../../store/record/sightings.sql';
import type { History } from './history';
import { sightingOf } from './sighting-of';

/** The circle of all tenants that share their history. */
const shared = 'shared';

/**
 * The graph of links in Postgres. A sighting is kept before others are looked for: of two transactions at once, at
 * least one sees the other. Two round trips.
 */
export function createPostgresHistory(pool: Pool, keys: Pick<Keys, 'sighting'>): History {
  return {
    async sight(subject, scope, withinDays) {
      const circles = [`tenant/${subject.tenant}`, ...(scope === shared ? [shared] : [])];
      const mine = circles.map((circle) => ({ circle, ...sightingOf(keys, subject, circle) }));
      await keepSightings(pool, mine);
      const seen = await findSightings(pool, mine, withinDays);
      const isMine = (one: Sighting) => one.tenant === subject.tenant && one.transactionId === subject.id;
      const { confirmed, denied } = seen.find(isMine) ?? { confirmed: { phone: false, email: false }, denied: false };
      const others = seen.filter((one) => !isMine(one));
      const [own, ...rest] = oneEach([...mine, ...others]);
      if (!own) throw new Error('A transaction has no sighting of its own.');
      return { own: { ...own, confirmed, denied }, others: rest };
    },
  };
}

const keyOf = ({ tenant, transactionId }: Sighting) => JSON.stringify([tenant, transactionId]);

/** Each transaction once, in the order given. What is in two circles has its shared values. */
function oneEach(sightings: readonly CircleSighting[]): Sighting[] {
  const sharedOnes = new Map(sightings.filter(({ circle }) => circle === shared).map((one) => [keyOf(one), one]));
  const translated = translations(sightings, sharedOnes);
  const once = new Map<string, Sighting>();
  for (const { circle: _, ...one } of sightings) {
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
  sightings: readonly CircleSighting[],
  sharedOnes: ReadonlyMap<string, Sighting>,
): Map<string, string> {
  const known = new Map<string, string>();
  for (const one of sightings.filter(({ circle }) => circle !== shared)) {
    const twin = sharedOnes.get(keyOf(one));
    for (const [variable, value] of Object.entries(one.values) as [LinkVariable, string][]) {
      const sharedValue = twin?.values[variable];
      if (sharedValue !== undefined) known.set(value, sharedValue);
    }
  }
  return known;
}
