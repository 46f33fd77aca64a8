import { AsyncLocalStorage } from 'node:async_hooks';

/** The rows of all tenants. It is not a valid tenant name. */
export const allTenants = '*';

const scopes = new AsyncLocalStorage<string>();

/**
 * Runs `work`. Its database statements see and change only rows of this tenant, also statements that it runs later. A callback that a
 * queue or a timer of other code calls later loses the tenant: wrap it with `AsyncResource.bind`.
 */
export function asTenant<Result>(tenant: string, work: () => Result): Result {
  if (tenant === allTenants) throw new Error('This is not a tenant.');
  return scopes.run(tenant, work);
}

/** Runs work of a caller whose tenant is not known yet: it sees no rows that belong to a tenant. */
export const withoutTenant = <Result>(work: () => Result): Result => scopes.run('', work);

/**
 * Runs work that needs rows of all tenants, inside a request. Each use bypasses the isolation of tenants, so docs/security.md lists all
 * uses.
 */
export const asService = <Result>(work: () => Result): Result => scopes.run(allTenants, work);

/**
 * The tenant whose rows the current work may see; `*` for all tenants, and '' for none. Work outside of requests may see the rows of all
 * tenants.
 */
export const currentScope = (): string => scopes.getStore() ?? allTenants;
