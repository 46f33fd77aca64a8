/** All scopes that a client can have. */
export const scopes = [
  'transaction:write',
  'transaction:read',
  'transaction:search',
  'analysis:run',
  'confirmation:send',
  'confirmation:validate',
  'biometrics:link',
  'biometrics:images',
  'biometrics:review',
  'biometrics:erase',
  'flows:read',
  'flows:write',
  'blocks:manage',
  'webhooks:manage',
  'privacy',
  'operator:decode',
] as const;

export type Scope = (typeof scopes)[number];

/** Scopes that reach the data of all tenants. A client has one only if it is named: `*` does not contain them. */
const operatorScopes: readonly Scope[] = ['operator:decode'];

/** The scopes of a client from its stored ones, where `*` means all scopes of callers. */
export function expandScopes(storedScopes: readonly string[]): Scope[] {
  const hasAll = storedScopes.includes('*');
  return scopes.filter((scope) => storedScopes.includes(scope) || (hasAll && !operatorScopes.includes(scope)));
}

/** The requested scopes (RFC 6749, 3.3), by default all granted ones. Undefined if one is not granted. */
export function narrowScopes(clientScopes: readonly Scope[], requestedScopes: string | undefined): Scope[] | undefined {
  const names = (requestedScopes ?? '').split(' ').filter(Boolean);
  if (names.length === 0) return [...clientScopes];
  const narrowedScopes = clientScopes.filter((scope) => names.includes(scope));
  return names.every((name) => narrowedScopes.some((scope) => scope === name)) ? narrowedScopes : undefined;
}
