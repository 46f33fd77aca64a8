/** What a client may be allowed to do. */
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

/** The scopes a client has; `*` stands for all. */
export function grantedScopes(stored: readonly string[]): Scope[] {
  return stored.includes('*') ? [...scopes] : scopes.filter((scope) => stored.includes(scope));
}

/** The scopes of a token: those asked for (RFC 6749, 3.3), or all granted ones. Undefined when one is not granted. */
export function narrowedScopes(granted: readonly Scope[], asked: string | undefined): Scope[] | undefined {
  const wanted = (asked ?? '').split(' ').filter(Boolean);
  if (wanted.length === 0) return [...granted];
  const known = granted.filter((scope) => wanted.includes(scope));
  return wanted.every((scope) => known.some((one) => one === scope)) ? known : undefined;
}
