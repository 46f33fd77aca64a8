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
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

/** The scopes of a client; `*` means all. */
export function grantedScopes(stored: readonly string[]): Scope[] {
  return stored.includes('*') ? [...scopes] : scopes.filter((scope) => stored.includes(scope));
}

/** The requested scopes (RFC 6749, 3.3), by default all granted ones. Undefined if one is not granted. */
export function narrowScopes(granted: readonly Scope[], requested: string | undefined): Scope[] | undefined {
  const names = (requested ?? '').split(' ').filter(Boolean);
  if (names.length === 0) return [...granted];
  const allowed = granted.filter((scope) => names.includes(scope));
  return names.every((name) => allowed.some((scope) => scope === name)) ? allowed : undefined;
}
