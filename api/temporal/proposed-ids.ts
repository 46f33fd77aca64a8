import { randomUUID } from 'node:crypto';
import { fingerprint } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import { uuidFrom } from '../http/transaction-id';
import type { Target } from './transactions';

/** The id for a new resource of a kind: `run`, `link`, a confirmation. */
export type ProposedIds = (kind: string) => string;

/**
 * The ids that a request proposes for what it creates. Retries with one idempotency key propose the same ids. A key is valid
 * for a day, so the ids differ from day to day.
 */
export function proposedIds(keys: Keys, { tenant, id }: Target, key: string | undefined): ProposedIds {
  if (key === undefined) return () => randomUUID();
  return (kind) => idOf(keys, { tenant, id }, key, kind, Date.now());
}

/** The ids that a valid key may have proposed before: today, and the day before. */
export const idsProposedBefore = (keys: Keys, target: Target, key: string, kind: string): readonly string[] =>
  [0, dayMs].map((agoMs) => idOf(keys, target, key, kind, Date.now() - agoMs));

const dayMs = 86_400_000;

function idOf(keys: Keys, { tenant, id }: Target, key: string, kind: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return uuidFrom(Buffer.from(fingerprint(keys, 'proposed', kind, tenant, id, key, day), 'base64url'));
}
