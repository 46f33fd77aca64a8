import type { Request } from 'express';
import { Problem } from '../problem';
import type { Dependencies } from '../../dependencies';
import type { Caller } from './access-tokens';
import type { Scope } from './scopes';

/**
 * Returns the caller of a request. Throws unauthorized in two cases: the request has no valid access token (RFC 6750), or the client of
 * the token was changed or revoked after the token was issued. Throws service_unavailable if the token cannot be verified now.
 */
export async function authenticate(
  {
    accessTokens,
    outsideIssuer,
    clientVersions,
  }: Pick<Dependencies, 'accessTokens' | 'outsideIssuer' | 'clientVersions'>,
  request: Request,
): Promise<Caller> {
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (!token) throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
  const caller = (await accessTokens.verify(token)) ?? (await outsideIssuer?.verify(token));
  if (!caller || !clientVersions.isCurrent(caller))
    throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
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
