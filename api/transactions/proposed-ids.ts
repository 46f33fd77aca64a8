import { randomBytes, randomUUID } from 'node:crypto';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import type { Target } from './transactions';

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

function formatUuid(bytes: Buffer, version: 7 | 8): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A new id that sorts by time (RFC 9562, version 7). */
export function uuidV7(nowMs = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return formatUuid(bytes, 7);
}

/** An id made of the first 16 bytes of a keyed hash (RFC 9562, version 8). Equal hashes give equal ids. */
export function uuidV8(digest: Buffer): string {
  return formatUuid(Buffer.from(digest.subarray(0, 16)), 8);
}
