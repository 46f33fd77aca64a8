import { escapeLiteral, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
import { currentScope } from './tenant-scope';

/** The statement that tells Postgres whose rows a connection may see. */
export const scopeStatement = (scope: string): string => `set countersign.tenant = ${escapeLiteral(scope)}`;

/** What each connection was last told. */
const scopeByClient = new WeakMap<PoolClient, string>();

/** Tells a connection whose rows it may see, unless it was told the same before. */
async function tellScope(client: PoolClient, scope: string): Promise<void> {
  if (scopeByClient.get(client) === scope) return;
  scopeByClient.delete(client);
  await client.query(scopeStatement(scope));
  scopeByClient.set(client, scope);
}

/**
 * A pool whose connections see only the rows of the current scope, by row-level security. Only its promises may be used: there are no
 * callbacks.
 */
export class TenantPool extends Pool {
  constructor(config: PoolConfig) {
    // So that the statement of the scope and the query after it need one round trip.
    super({ ...config, pipeline: true });
  }

  /** A connection of the current scope. */
  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const client = await super.connect();
    try {
      await tellScope(client, scope);
      return client;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  override readonly query = ((query: string | QueryConfig, values?: unknown[]) =>
    this.#query(query, values)) as Pool['query'];

  async #query(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    const scope = currentScope();
    const client = await super.connect();
    try {
      // If the first statement fails, the result of the second is never used.
      const [, result] = await Promise.all([tellScope(client, scope), client.query(query, values)]);
      client.release();
      return result;
    } catch (error) {
      // Also discards a connection whose prepared statements are lost.
      client.release(error as Error);
      throw error;
    }
  }
}
