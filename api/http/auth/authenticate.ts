import type { Request } from 'express';
import { Problem } from '../problem';
import type { Needs } from '../../dependencies';
import type { Caller, Scope } from './access-tokens';

const getToken = 'Get an access token from POST /oauth2/token';

/** Three parts in base64url, with dots between them. All access tokens have this form, also those of another issuer (RFC 7515, 3.1). */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * The problem for a request without a valid access token. The header has an error code only if the request has an access token (RFC 6750,
 * 3.1).
 */
const unauthorized = (detail: string, error?: string) =>
  new Problem('unauthorized', {
    detail,
    headers: {
      'WWW-Authenticate': error === undefined ? 'Bearer' : `Bearer error="invalid_token", error_description="${error}"`,
    },
  });

/**
 * Returns the caller of a request. Throws unauthorized if the request has no access token, if the token is malformed, or if it is rejected:
 * it is not valid (RFC 6750), or its client was changed or revoked after the token was issued. The detail tells the three cases apart.
 * Throws service_unavailable if the token cannot be verified now.
 */
export async function authenticate(
  { accessTokens, outsideIssuer, clientVersions }: Needs<'accessTokens' | 'outsideIssuer' | 'clientVersions'>,
  request: Request,
): Promise<Caller> {
  const header = request.get('authorization')?.trim() ?? '';
  // A scheme, one or more spaces, and the credentials. Without a scheme, the header is a token alone, or `Bearer` alone.
  const [scheme = '', ...credentials] = header.split(/ +/);
  const isBearer = scheme.toLowerCase() === 'bearer';
  if (header === '' || (credentials.length > 0 && !isBearer))
    throw unauthorized(
      `The request has no access token. ${getToken} and send it as \`Authorization: Bearer <access_token>\`.`,
    );
  const token = credentials.join(' ');
  if (!isBearer || !tokenPattern.test(token))
    throw unauthorized(
      'The access token in the Authorization header is malformed. Send `Bearer`, one space, and the `access_token` as you got it.',
      'The access token is malformed',
    );
  const caller = (await accessTokens.verify(token)) ?? (await outsideIssuer?.verify(token));
  if (!caller || !clientVersions.isCurrent(caller))
    throw unauthorized(
      `The access token was rejected: it has expired, its client was changed or revoked, or it is for another environment. ${getToken}.`,
      'The access token was rejected',
    );
  return caller;
}

/** Throws insufficient_scope if the access token of the caller does not have the scope. */
export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', {
    detail: `This request needs an access token with the scope ${scope}. If this client does not have the scope, use another client.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
