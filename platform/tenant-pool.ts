import { escapeLiteral, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
import { genericPlanSetting, PreparingClient } from './prepared-statements';
import { isUniqueViolation } from './constraint-violation';
import { currentScope } from './tenant-scope';

/** The statement that tells Postgres which rows a connection may see. `scope`: the name of a tenant, `*` for all tenants, '' for none. */
export const scopeStatement = (scope: string): string => `set countersign.tenant = ${escapeLiteral(scope)}`;

/** The tenant that was last set on each connection: `*` stands for all tenants, and '' for none. */
const scopeByClient = new WeakMap<PoolClient, string>();

/**
 * A pool whose connections see only the rows of the current tenant, by row-level security. If a connection was last used for another
 * tenant, it needs one more round trip. `connect` and `query` return promises. They do not support callbacks, which `pg` supports.
 */
export class TenantPool extends Pool {
  constructor(config: PoolConfig) {
    super({ ...config, Client: PreparingClient });
  }

  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const client = await super.connect();
    if (scopeByClient.get(client) === scope) return client;
    const isNew = !scopeByClient.has(client);
    const settings = isNew ? [genericPlanSetting] : [];
    try {
      await client.query([...settings, scopeStatement(scope)].join(';'));
      scopeByClient.set(client, scope);
      return client;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  override readonly query = ((query: string | QueryConfig, values?: unknown[]) =>
    this.#query(query, values)) as Pool['query'];

  async #query(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    const client = await this.connect();
    try {
      const result = await client.query(query, values);
      client.release();
      return result;
    } catch (error) {
      // Discards the connection after an error, because its prepared statements may be out of date. Keeps it after a unique violation,
      // which is an expected error.
      client.release(isUniqueViolation(error) ? undefined : (error as Error));
      throw error;
    }
  }
}
