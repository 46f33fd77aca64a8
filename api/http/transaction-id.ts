import { randomBytes } from 'node:crypto';
import type { Request } from 'express';

/** A UUID of version 7 or 8. */
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text has the form of a transaction id. */
export function isTransactionId(id: string): boolean {
  return uuidPattern.test(id);
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

/** A UUID of any version, in lower or upper case. */
const anyUuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The parameters of a path, with each UUID in lower case. Upper and lower case are the same UUID (RFC 9562, 4), and some callers store
 * UUIDs in upper case. All ids of the service are in lower case, so everything behind the routes may compare them as texts.
 */
export function withLowerCaseIds(params: Request['params']): Request['params'] {
  const lowered: Request['params'] = { ...params };
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'string' && anyUuidPattern.test(value)) lowered[name] = value.toLowerCase();
  return lowered;
}
