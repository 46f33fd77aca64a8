import { randomUUID } from 'node:crypto';
import { fingerprint } from '../platform/codes';
import type { Keys } from '../platform/keys';
import { uuidFrom } from './temporal/transaction-id';
import type { Target } from './transactions';

/** Gives the id of what a request would make, by its sort: `run`, `link`, a confirmation. */
export type ProposedIds = (sort: string) => string;

/**
 * The ids that a request proposes: with an idempotency key the same for its repeats, which then tell the transaction the
 * very same. Another day has others: a key is good for a day, and what is asked after that is asked anew.
 */
export function proposedIds(keys: Keys, { tenant, id }: Target, key: string | undefined): ProposedIds {
  if (key === undefined) return () => randomUUID();
  const day = new Date().toISOString().slice(0, 10);
  return (sort) => uuidFrom(Buffer.from(fingerprint(keys, 'proposed', sort, tenant, id, key, day), 'base64url'));
}
