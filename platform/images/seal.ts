import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes, their seal or their context are not those that were sealed: changed, swapped, or of another key. */
export class BrokenSealError extends Error {
  override name = 'BrokenSealError';
}

const cipher = 'aes-256-gcm';
/** The first byte of what is sealed, so that another way of sealing can come beside this one. */
const version = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + ivBytes + tagBytes;

const contextBytes = (context: readonly string[]) => Buffer.from(JSON.stringify([version, ...context]));

/**
 * Encrypts bytes with AES-256-GCM and binds them to a context, without which they do not open. 29 bytes longer. Random
 * nonces of 96 bits: one key may seal 2^32 times (NIST SP 800-38D, 8.3).
 */
export function seal(key: Buffer, bytes: Buffer, context: readonly string[]): Buffer {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes }).setAAD(contextBytes(context));
  const head = Buffer.concat([Buffer.from([version]), iv], headBytes);
  const sealed = Buffer.concat([head, encryption.update(bytes), encryption.final()]);
  // The tag is known last and stands first: images are large, and are copied once.
  encryption.getAuthTag().copy(sealed, 1 + ivBytes);
  return sealed;
}

/** Opens what was sealed under this key in this context. Throws BrokenSealError for everything else. */
export function unseal(key: Buffer, sealed: Buffer, context: readonly string[]): Buffer {
  if (sealed.length < headBytes || sealed[0] !== version) throw new BrokenSealError('This was never sealed.');
  const [iv, tag] = [sealed.subarray(1, 1 + ivBytes), sealed.subarray(1 + ivBytes, headBytes)];
  const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes });
  decryption.setAAD(contextBytes(context)).setAuthTag(tag);
  try {
    const opened = decryption.update(sealed.subarray(headBytes));
    // Throws when the tag is another. In this mode it never holds bytes back.
    decryption.final();
    return opened;
  } catch (error) {
    throw new BrokenSealError('What was sealed does not open here.', { cause: error });
  }
}
