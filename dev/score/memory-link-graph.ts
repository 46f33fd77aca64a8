import { randomBytes } from 'node:crypto';
import { type Observation, type ObservedKind, observedKinds } from '../../domain/scoring/evidence';
import type { LinkGraph } from '../../scoring/evidence/links';
// The limits of the link graph in Postgres apply here too, so a policy gives the same scores here as in the service.
import { kindsSharedByStrangers, personalKinds, observationLimits } from '../../store/transactions/observations.sql';
import { observationOf } from '../../store/transactions/observed-values';
import type { OfflineTransaction } from './parse-line';

/** The link graph of one file of transactions. */
export interface MemoryLinkGraph extends LinkGraph {
  /** Adds facts about an observed transaction: what the person confirmed or denied. Facts are never removed. */
  addFacts(id: string, facts: OfflineTransaction['facts']): void;
}

const newestFirst = (left: Observation, right: Observation) => (left.at > right.at ? -1 : left.at < right.at ? 1 : 0);

/** Inserts an observation into a list, which stays sorted by time, newest first. */
function insert(list: Observation[], observation: Observation): void {
  const index = list.findIndex(({ at }) => at <= observation.at);
  list.splice(index < 0 ? list.length : index, 0, observation);
}

const dayMs = 86_400_000;

/**
 * The observations that the link graph in Postgres would return for one kind of data. `list`: all observations with the same value, newest
 * first.
 */
function readRelated(
  list: readonly Observation[],
  observation: Observation,
  kind: ObservedKind,
  withinDays: number,
): Observation[] {
  const others = list.filter((one) => one !== observation);
  const isNear = ({ at }: Observation) => Math.abs(Date.parse(at) - Date.parse(observation.at)) <= withinDays * dayMs;
  const hasConfirmed = ({ confirmed }: Observation) => confirmed.phone || confirmed.email;
  return [
    ...others.slice(0, observationLimits.newest),
    ...(kindsSharedByStrangers.includes(kind) ? [] : others.filter(isNear).slice(0, observationLimits.closeInTime)),
    ...(personalKinds.includes(kind) ? others.filter(({ denied }) => denied).slice(0, observationLimits.denied) : []),
    ...(kind === 'Document' ? others.filter(hasConfirmed).slice(0, observationLimits.confirmed) : []),
  ];
}

/**
 * A link graph in memory. All its transactions belong to one tenant. So a policy that uses the history of the tenant, and a policy that
 * uses the shared history, find the same observations. The graph contains keyed hashes of values, as in Postgres. The key is random.
 */
export function createMemoryLinkGraph(): MemoryLinkGraph {
  const keys = { observation: randomBytes(32) };
  const observationsByValue = new Map<string, Observation[]>();
  const observationById = new Map<string, Observation>();

  const save = (observation: Observation) => {
    observationById.set(observation.transactionId, observation);
    for (const value of Object.values(observation.values)) {
      const list = observationsByValue.get(value);
      if (list) insert(list, observation);
      else observationsByValue.set(value, [observation]);
    }
  };

  return {
    async addAndFindRelated(transaction, _circleKind, withinDays) {
      const existing = observationById.get(transaction.id);
      const observation = existing ?? observationOf(keys, transaction, 'file');
      if (!existing) save(observation);
      const others = observedKinds.flatMap((kind) => {
        const list = observationsByValue.get(observation.values[kind] ?? '') ?? [];
        return readRelated(list, observation, kind, withinDays);
      });
      return { own: observation, others: [...new Set(others)].toSorted(newestFirst) };
    },
    addFacts(id, { phone, email, denied }) {
      const observation = observationById.get(id);
      if (!observation) return;
      observation.confirmed = {
        phone: observation.confirmed.phone || phone,
        email: observation.confirmed.email || email,
      };
      observation.denied ||= denied;
    },
  };
}
