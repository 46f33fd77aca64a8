import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The bytes cannot be unsealed. They were changed, or they were sealed with another key or context. */
export class BrokenSealError extends Error {
  override name = 'BrokenSealError';
}

const cipher = 'aes-256-gcm';
/** The version of the format. It is the first sealed byte, so that another format can be added later. */
const version = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + ivBytes + tagBytes;

/** The context as bytes, for the additional authenticated data (AAD) of AES-GCM. */
const contextBytes = (context: readonly string[]) => Buffer.from(JSON.stringify([version, ...context]));

/**
 * Encrypts bytes with AES-256-GCM, and binds them to a context. They can be decrypted only with the same context. The result is 29 bytes
 * longer than `bytes`. With random initialization vectors (IVs) of 96 bits, one key may seal at most 2^32 times (NIST SP 800-38D, 8.3).
 */
export function seal(key: Buffer, bytes: Buffer, context: readonly string[]): Buffer {
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes }).setAAD(contextBytes(context));
  const head = Buffer.concat([Buffer.from([version]), iv], headBytes);
  const sealed = Buffer.concat([head, encryption.update(bytes), encryption.final()]);
  // The tag is written into the space that `head` leaves for it, so that a large image is copied only once.
  encryption.getAuthTag().copy(sealed, 1 + ivBytes);
  return sealed;
}

/** Decrypts bytes that were sealed with this key and this context. Throws BrokenSealError for all other bytes. */
export function unseal(key: Buffer, sealed: Buffer, context: readonly string[]): Buffer {
  if (sealed.length < headBytes || sealed[0] !== version)
    throw new BrokenSealError('The bytes are not a sealed object.');
  const [iv, tag] = [sealed.subarray(1, 1 + ivBytes), sealed.subarray(1 + ivBytes, headBytes)];
  const decryption = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes });
  decryption.setAAD(contextBytes(context)).setAuthTag(tag);
  try {
    const plaintext = decryption.update(sealed.subarray(headBytes));
    // Throws if the tag does not match. In GCM, `final` returns no more bytes.
    decryption.final();
    return plaintext;
  } catch (error) {
    throw new BrokenSealError('The bytes were changed, or have another key or context.', { cause: error });
  }
}

/** HMAC-SHA-256 of a text, in base64url. */
export function signatureOf(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Makes a token from a content and its signature. Everyone who has the token can read the content. */
export function signToken(key: Buffer, content: readonly unknown[]): string {
  const body = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${body}.${signatureOf(key, body)}`;
}

/** The content of a token; undefined if it was not signed with this key. */
export function readSignedToken(key: Buffer, token: string): unknown {
  const [body, signature, ...rest] = token.split('.');
  if (!body || !signature || rest.length > 0) return undefined;
  const [expected, actual] = [Buffer.from(signatureOf(key, body)), Buffer.from(signature)];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  return JSON.parse(Buffer.from(body, 'base64url').toString());
}
