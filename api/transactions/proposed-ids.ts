import { randomUUID } from 'node:crypto';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import type { Target } from './transactions';
import { uuidV8 } from '../http/transaction-id';

/** Returns the id for a new resource. `kind`: which resource of the request, such as `run`, `link` or `first confirmation`. */
export type ProposeId = (kind: string) => string;

/**
 * Creates a function that returns the ids for the new resources of a request. `key`: the idempotency key. A retry with the same key on the
 * same day (UTC) gets the same ids. On the next day the ids differ, see `earlierProposedIds`.
 */
export function createIdProposer(keys: Keys, { tenant, id }: Target, key: string | undefined): ProposeId {
  if (key === undefined) return () => randomUUID();
  return (kind) => idOf(keys, { tenant, id }, key, kind, Date.now());
}

/** The two ids that this key proposes today and proposed yesterday. A key is valid for a day, so an id of an earlier day is not needed. */
export const earlierProposedIds = (keys: Keys, target: Target, key: string, kind: string): readonly string[] =>
  [0, dayMs].map((agoMs) => idOf(keys, target, key, kind, Date.now() - agoMs));

const dayMs = 86_400_000;

/** The id that a key proposes on the day of `timeMs`. */
function idOf(keys: Keys, { tenant, id }: Target, key: string, kind: string, timeMs: number): string {
  const day = new Date(timeMs).toISOString().slice(0, 10);
  return uuidV8(Buffer.from(keyedHash(keys, 'proposed', kind, tenant, id, key, day), 'base64url'));
}
