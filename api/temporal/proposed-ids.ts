import { randomUUID } from 'node:crypto';
import { fingerprint } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import { uuidFrom } from '../http/transaction-id';
import type { Target } from './transactions';

/** Gives the id of what a request would make, by its sort: `run`, `link`, a confirmation. */
export type ProposedIds = (sort: string) => string;

/**
 * The ids that a request proposes: with an idempotency key the same for its repeats, which then tell the transaction the
 * very same. Another day has others: a key is good for a day, and what is asked after that is asked anew.
 */
export function proposedIds(keys: Keys, { tenant, id }: Target, key: string | undefined): ProposedIds {
  if (key === undefined) return () => randomUUID();
  return (sort) => idOf(keys, { tenant, id }, key, sort, Date.now());
}

/** The ids that a key that is still good may have proposed: that of today, and that of the day before. */
export const idsProposedBefore = (keys: Keys, target: Target, key: string, sort: string): readonly string[] =>
  [0, dayMs].map((agoMs) => idOf(keys, target, key, sort, Date.now() - agoMs));

const dayMs = 86_400_000;

function idOf(keys: Keys, { tenant, id }: Target, key: string, sort: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return uuidFrom(Buffer.from(fingerprint(keys, 'proposed', sort, tenant, id, key, day), 'base64url'));
}
