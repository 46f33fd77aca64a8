/** All scopes that a client can have. */
export const scopes = [
  'transaction:write',
  'transaction:read',
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
  'privacy',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a client from its stored ones, where `*` means all. */
export function expandScopes(storedScopes: readonly string[]): Scope[] {
  return storedScopes.includes('*') ? [...scopes] : scopes.filter((scope) => storedScopes.includes(scope));
}

/** The requested scopes (RFC 6749, 3.3), by default all granted ones. Undefined if one is not granted. */
export function narrowScopes(clientScopes: readonly Scope[], requestedScopes: string | undefined): Scope[] | undefined {
  const names = (requestedScopes ?? '').split(' ').filter(Boolean);
  if (names.length === 0) return [...clientScopes];
  const narrowedScopes = clientScopes.filter((scope) => names.includes(scope));
  return names.every((name) => narrowedScopes.some((scope) => scope === name)) ? narrowedScopes : undefined;
}
