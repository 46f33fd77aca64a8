import type { IssuedToken } from './access-tokens.ts';

/** The characters of an access token in a header (RFC 6750, 2.1). */
const tokenPattern = /^[A-Za-z0-9._~+/-]+=*$/;

const isToken = (value: unknown): value is string => typeof value === 'string' && tokenPattern.test(value);

/** Returns what the `accessToken` of the program has returned. Throws a TypeError if it cannot be an access token. */
export function checkAccessToken(token: unknown): string {
  if (isToken(token)) return token;
  throw new TypeError(
    'accessToken() must return an access token: a string of letters, digits and . _ ~ + / - without "Bearer" and without spaces.',
  );
}

/** Reads the answer of the token endpoint. Undefined if it has no access token, or no lifetime in seconds. */
export function readIssuedToken(body: unknown): IssuedToken | undefined {
  const { access_token: token, expires_in: expiresInSeconds } = (body ?? {}) as Record<string, unknown>;
  const isLifetime = typeof expiresInSeconds === 'number' && expiresInSeconds > 0 && Number.isFinite(expiresInSeconds);
  return isToken(token) && isLifetime ? { token, expiresInSeconds } : undefined;
}
