/** Where sealed images lie. What is put is already encrypted: a store sees neither content nor owner. */
export interface ImageStore {
  /** Keeps the bytes under a key. When it has resolved, they outlast a crash; until then they cannot be read. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** The bytes of a key, or undefined when there are none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Removes the bytes of a key. A key without any is removed already. */
  remove(key: string): Promise<void>;
}

/** Words of lower-case letters, digits and hyphens with single slashes between: no path or address can be led astray. */
const keyPattern = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
/** The shortest limit of common file systems (255 bytes for one name). */
const keyLengthMax = 255;

/** Gives a key back when it is one. Throws RangeError for anything else. */
export function checkKey(key: string): string {
  if (key.length > keyLengthMax || !keyPattern.test(key)) throw new RangeError('This cannot be the key of an image.');
  return key;
}
