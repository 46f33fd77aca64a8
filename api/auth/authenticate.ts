import type { Request } from 'express';
import { Problem } from '../problem';
import type { AccessTokens, Caller } from './access-tokens';
import type { Scope } from './scopes';

/** Who calls. Throws unauthorized without a good token (RFC 6750), insufficient_scope when it does not allow the request. */
export async function authenticate(tokens: AccessTokens, request: Request, scope: Scope): Promise<Caller> {
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.get('authorization') ?? '') ?? [];
  if (!token) throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer' } });
  const caller = await tokens.read(token);
  if (!caller) throw new Problem('unauthorized', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  if (caller.scopes.includes(scope)) return caller;
  throw new Problem('insufficient_scope', {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
