/** A store of sealed images. The bytes are encrypted, so the store knows neither what an image shows nor to whom it belongs. */
export interface ImageStore {
  /** Stores the bytes under a key. When the promise resolves, the bytes are durable. Before that, nobody can read them. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** The bytes of a key; undefined if there are none. */
  get(key: string): Promise<Buffer | undefined>;
  /** Removes the bytes of a key. Does nothing if there are none. */
  remove(key: string): Promise<void>;
}

/** Lower-case letters, digits and hyphens, separated by single slashes: no key can leave the folder or the bucket. */
const keyPattern = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
/** The longest key. Common file systems allow names of at least 255 bytes. */
const keyLengthMax = 255;

/** Returns a valid key. Throws RangeError for any other text. */
export function checkKey(key: string): string {
  if (key.length > keyLengthMax || !keyPattern.test(key))
    throw new RangeError('The key of an image has only lower-case letters, digits, hyphens and slashes.');
  return key;
}
