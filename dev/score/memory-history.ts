import { randomBytes } from 'node:crypto';
import { type LinkVariable, linkVariables } from '../../domain/scoring/evidence';
import type { Sighting } from '../../domain/scoring/sighting';
import type { History } from '../../activities/scoring/history';
// As many as the store reads of one value, so that a policy scores here as it will there.
import { common, personal, readAtMost } from '../../store/record/sightings.sql';
import { sightingOf } from '../../activities/scoring/sighting-of';
import type { OfflineTransaction } from './parse-line';

/** A history of one file. */
export interface MemoryHistory extends History {
  /** Makes known what came of a transaction that was sighted. Nothing is ever unlearned. */
  learn(id: string, facts: OfflineTransaction['facts']): void;
}

const newestFirst = (left: Sighting, right: Sighting) => (left.at > right.at ? -1 : left.at < right.at ? 1 : 0);

/** Puts a sighting before the first that is not newer. */
function insert(list: Sighting[], one: Sighting): void {
  const at = list.findIndex(({ at: known }) => known <= one.at);
  list.splice(at < 0 ? list.length : at, 0, one);
}

const dayMs = 86_400_000;

/** What the store would read of one variable of a sighting, from the sightings with its value, newest first. */
function read(list: readonly Sighting[], own: Sighting, variable: LinkVariable, withinDays: number): Sighting[] {
  const others = list.filter((one) => one !== own);
  const isNear = ({ at }: Sighting) => Math.abs(Date.parse(at) - Date.parse(own.at)) <= withinDays * dayMs;
  const hasConfirmed = ({ confirmed }: Sighting) => confirmed.phone || confirmed.email;
  return [
    ...others.slice(0, readAtMost.newest),
    ...(common.includes(variable) ? [] : others.filter(isNear).slice(0, readAtMost.near)),
    ...(personal.includes(variable) ? others.filter(({ denied }) => denied).slice(0, readAtMost.denied) : []),
    ...(variable === 'Document' ? others.filter(hasConfirmed).slice(0, readAtMost.confirmed) : []),
  ];
}

/**
 * A history in memory, of one circle: both scopes see the same. Holds keyed hashes like the store, with a key that ends
 * with the process.
 */
export function createMemoryHistory(): MemoryHistory {
  const keys = { sighting: randomBytes(32) };
  const byValue = new Map<string, Sighting[]>();
  const byId = new Map<string, Sighting>();

  const keep = (own: Sighting) => {
    byId.set(own.transactionId, own);
    for (const value of Object.values(own.values)) {
      const list = byValue.get(value);
      if (list) insert(list, own);
      else byValue.set(value, [own]);
    }
  };

  return {
    async sight(subject, _scope, withinDays) {
      const known = byId.get(subject.id);
      const own = known ?? sightingOf(keys, subject, 'file');
      if (!known) keep(own);
      const others = linkVariables.flatMap((variable) => {
        const list = byValue.get(own.values[variable] ?? '') ?? [];
        return read(list, own, variable, withinDays);
      });
      return { own, others: [...new Set(others)].toSorted(newestFirst) };
    },
    learn(id, { phone, email, denied }) {
      const own = byId.get(id);
      if (!own) return;
      own.confirmed = { phone: own.confirmed.phone || phone, email: own.confirmed.email || email };
      own.denied ||= denied;
    },
  };
}
