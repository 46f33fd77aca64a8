import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';

/** The scope of work that may see the rows of all tenants. It is not a valid tenant name. */
export const allTenants = '*';

/**
 * The scope of the current work, and who waits in queues for it: the name of a tenant, `*` for all tenants or the service itself, or an empty
 * text for none.
 */
const scopes = new AsyncLocalStorage<{ scope: string; queueTenant: string }>();

/**
 * Runs `work`. The database statements of `work`, also those after an `await`, see and change only rows of this tenant. If a queue or a
 * timer of other code calls a function later, the function does not have the tenant any more. Wrap such a function with
 * `AsyncResource.bind`.
 */
export function asTenant<Result>(tenant: string, work: () => Result): Result {
  if (tenant === allTenants) throw new Error('This is not a tenant.');
  return scopes.run({ scope: tenant, queueTenant: tenant }, work);
}

/** Runs work of a request whose tenant is not known yet. The work sees no rows that belong to a tenant. */
export const withoutTenant = <Result>(work: () => Result): Result => scopes.run({ scope: '', queueTenant: '' }, work);

/**
 * Runs the part of a request that needs rows of all tenants. Each use of this function bypasses the separation of tenants, so
 * docs/security.md lists all uses. In queues, the work still counts for the tenant of the request.
 */
export const asService = <Result>(work: () => Result): Result =>
  scopes.run({ scope: allTenants, queueTenant: scopes.getStore()?.queueTenant || allTenants }, work);

/**
 * The tenant whose rows the current work may see; `*` for all tenants, and '' for none. Work outside of requests may see the rows of all
 * tenants.
 */
export const currentScope = (): string => scopes.getStore()?.scope ?? allTenants;

/** The tenant whose share of a queue the current work uses; `*` for the service itself, and '' for a request whose tenant is not known yet. */
export const currentQueueTenant = (): string => scopes.getStore()?.queueTenant ?? allTenants;

/** The name of a tenant. It is part of workflow ids, so it must not contain the separators in these ids. */
export const tenantName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');
