import { randomBytes } from 'node:crypto';
import { type LinkVariable, linkVariables } from '../../../domain/scoring/evidence';
import type { Sighting } from '../../../domain/scoring/sighting';
import type { History } from '../history';
// As many as the store reads of one value, so that a policy scores here as it will there.
import { newestOf } from '../../store/sightings.sql';
import { sightingOf } from '../sighting-of';
import type { OfflineTransaction } from './parse-line';

/** A history of one file. */
export interface MemoryHistory extends History {
  /** Makes known what came of a transaction that was sighted. Nothing is ever unlearned. */
  learn(id: string, facts: OfflineTransaction['facts']): void;
}

/** Puts a sighting before the first that is not newer. */
function insert(list: Sighting[], one: Sighting): void {
  const at = list.findIndex(({ at: known }) => known <= one.at);
  list.splice(at < 0 ? list.length : at, 0, one);
}

/**
 * A history in memory, of one circle: both scopes see the same. Holds keyed hashes like the store, with a key that ends
 * with the process, and no more sightings of a value than are ever read.
 */
export function createMemoryHistory(): MemoryHistory {
  const keys = { sighting: randomBytes(32) };
  const byValue = new Map<string, Sighting[]>();
  const byId = new Map<string, Sighting>();

  const newest = (own: Sighting, variable: LinkVariable) =>
    (byValue.get(own.values[variable] ?? '') ?? []).filter((one) => one !== own).slice(0, newestOf(variable));

  const keep = (own: Sighting) => {
    byId.set(own.transactionId, own);
    for (const variable of linkVariables) {
      const value = own.values[variable];
      if (value === undefined) continue;
      const list = byValue.get(value);
      if (!list) byValue.set(value, [own]);
      else {
        insert(list, own);
        // One more than is read: the own one may be among them.
        list.length = Math.min(list.length, newestOf(variable) + 1);
      }
    }
  };

  return {
    async sight(subject) {
      const known = byId.get(subject.id);
      const own = known ?? sightingOf(keys, subject, 'file');
      if (!known) keep(own);
      return { own, others: [...new Set(linkVariables.flatMap((variable) => newest(own, variable)))] };
    },
    learn(id, { phone, email, denied }) {
      const own = byId.get(id);
      if (!own) return;
      own.confirmed = { phone: own.confirmed.phone || phone, email: own.confirmed.email || email };
      own.denied ||= denied;
    },
  };
}
