import { randomBytes } from 'node:crypto';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text can be the id of a transaction. */
export function isTransactionId(id: string): boolean {
  return uuid.test(id);
}

function format(bytes: Buffer, version: 7 | 8): string {
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A new id that sorts by time (RFC 9562, version 7). */
export function uuidV7(nowMs = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  return format(bytes, 7);
}

/** An id of the first 16 bytes of a keyed hash (RFC 9562, version 8). */
export function uuidFrom(digest: Buffer): string {
  return format(Buffer.from(digest.subarray(0, 16)), 8);
}
