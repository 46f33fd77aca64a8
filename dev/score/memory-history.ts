import { randomBytes } from 'node:crypto';
import { type LinkVariable, linkVariables } from '../../domain/scoring/evidence';
import type { Observation } from '../../domain/scoring/observation';
import type { History } from '../../activities/scoring/history';
// The same limits as in the store, so that a policy gives the same scores.
import { common, personal, readAtMost } from '../../store/record/observations.sql';
import { observationOf } from '../../activities/scoring/observation-of';
import type { OfflineTransaction } from './parse-line';

/** A history of one file. */
export interface MemoryHistory extends History {
  /** Adds facts about an observed transaction. Facts are never removed. */
  learn(id: string, facts: OfflineTransaction['facts']): void;
}

const newestFirst = (left: Observation, right: Observation) => (left.at > right.at ? -1 : left.at < right.at ? 1 : 0);

/** Inserts an observation before the first one that is not newer. */
function insert(list: Observation[], one: Observation): void {
  const at = list.findIndex(({ at: known }) => known <= one.at);
  list.splice(at < 0 ? list.length : at, 0, one);
}

const dayMs = 86_400_000;

/** The observations that the store would read for one variable. `list`: all with the same value, newest first. */
function readRelated(
  list: readonly Observation[],
  own: Observation,
  variable: LinkVariable,
  withinDays: number,
): Observation[] {
  const others = list.filter((one) => one !== own);
  const isNear = ({ at }: Observation) => Math.abs(Date.parse(at) - Date.parse(own.at)) <= withinDays * dayMs;
  const hasConfirmed = ({ confirmed }: Observation) => confirmed.phone || confirmed.email;
  return [
    ...others.slice(0, readAtMost.newest),
    ...(common.includes(variable) ? [] : others.filter(isNear).slice(0, readAtMost.near)),
    ...(personal.includes(variable) ? others.filter(({ denied }) => denied).slice(0, readAtMost.denied) : []),
    ...(variable === 'Document' ? others.filter(hasConfirmed).slice(0, readAtMost.confirmed) : []),
  ];
}

/**
 * A history in memory with one circle, so both scopes see the same. It contains keyed hashes like the store, with a random key
 * per process.
 */
export function createMemoryHistory(): MemoryHistory {
  const keys = { observation: randomBytes(32) };
  const byValue = new Map<string, Observation[]>();
  const byId = new Map<string, Observation>();

  const save = (own: Observation) => {
    byId.set(own.transactionId, own);
    for (const value of Object.values(own.values)) {
      const list = byValue.get(value);
      if (list) insert(list, own);
      else byValue.set(value, [own]);
    }
  };

  return {
    async observe(subject, _scope, withinDays) {
      const known = byId.get(subject.id);
      const own = known ?? observationOf(keys, subject, 'file');
      if (!known) save(own);
      const others = linkVariables.flatMap((variable) => {
        const list = byValue.get(own.values[variable] ?? '') ?? [];
        return readRelated(list, own, variable, withinDays);
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
