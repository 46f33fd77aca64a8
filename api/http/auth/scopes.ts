/** All scopes that a client can have, with what they allow. */
export const scopeDescriptions = {
  'transaction:write': 'Create transactions.',
  'transaction:read': 'Read transactions, their results and their events, without images.',
  'transaction:search': 'Search transactions by phone, mailbox or document.',
  'analysis:run': 'Reassess scores, ratings and insights, and check cards.',
  'confirmation:send': 'Send codes and questions, and start, resend and cancel flow runs.',
  'confirmation:validate': 'Check codes, also those of flow runs.',
  'biometrics:link': 'Create links to the hosted page for images.',
  'biometrics:images': 'Read the images of a person.',
  'biometrics:review': 'List reviews, and decide on images.',
  'biometrics:erase': 'Erase images, and read their audit log.',
  'flows:read': 'Read flows and their runs.',
  'flows:write': 'Add, activate and delete versions of flows.',
  'blocks:manage': 'List and remove blocks of phone prefixes.',
  'webhooks:manage': 'Manage webhooks, and deliver events again.',
  privacy: 'Export and erase personal data.',
  'operator:decode': 'Decrypt what Temporal stores about the transactions of all tenants. Only for operators.',
} as const;

export type Scope = keyof typeof scopeDescriptions;

export const scopes = Object.keys(scopeDescriptions) as Scope[];

/** Scopes that give access to the data of all tenants. A client must list each of them by name: `*` does not contain them. */
const operatorScopes: readonly Scope[] = ['operator:decode'];

/** Converts the stored scopes of a client to the scopes that it has. A stored `*` means all scopes except those for operators. */
export function expandScopes(storedScopes: readonly string[]): Scope[] {
  const hasAll = storedScopes.includes('*');
  return scopes.filter((scope) => storedScopes.includes(scope) || (hasAll && !operatorScopes.includes(scope)));
}

/**
 * Returns the requested scopes (RFC 6749, 3.3), or all scopes of the client if no scope is requested. Undefined if the client does not
 * have a requested scope.
 */
export function narrowScopes(clientScopes: readonly Scope[], requestedScopes: string | undefined): Scope[] | undefined {
  const names = (requestedScopes ?? '').split(' ').filter(Boolean);
  if (names.length === 0) return [...clientScopes];
  const narrowedScopes = clientScopes.filter((scope) => names.includes(scope));
  return names.every((name) => narrowedScopes.some((scope) => scope === name)) ? narrowedScopes : undefined;
}
