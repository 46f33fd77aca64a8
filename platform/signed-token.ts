import { createHmac, timingSafeEqual } from 'node:crypto';

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
