import { postgresTimeouts } from '../../platform/postgres/postgres';

// Runs before each suite. On a busy machine, a new connection to Postgres has taken longer than callers of the service may wait. The suites
// of whole stacks have the time limits of the product.
for (const name of Object.keys(postgresTimeouts) as (keyof typeof postgresTimeouts)[]) postgresTimeouts[name] = 60_000;
