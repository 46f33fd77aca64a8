import { escapeLiteral, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
import { FairQueue, QueueTimeoutError } from './fairness/fair-queue';
import { genericPlanSetting, PreparingClient } from './prepared-statements';
import { isUniqueViolation } from './constraint-violation';
import { currentScope } from './tenant-scope';

/** The statement that tells Postgres which rows a connection may see. `scope`: the name of a tenant, `*` for all tenants, '' for none. */
export const scopeStatement = (scope: string): string => `set countersign.tenant = ${escapeLiteral(scope)}`;

/** The tenant that was last set on each connection: `*` stands for all tenants, and '' for none. */
const scopeByClient = new WeakMap<PoolClient, string>();

/**
 * The share of one tenant in the connections of a pool. Two tenants whose statements are slow leave connections for a third. With a smaller
 * share, a process with only one tenant would wait for Postgres although connections are idle.
 */
const tenantShare = 2 / 5;

/** The same text as in `pg-pool`, so that `isOutage` needs to know only one. */
const timeoutText = 'timeout exceeded when trying to connect';

/**
 * A pool whose connections see only the rows of the current tenant, by row-level security. If a connection was last used for another
 * tenant, it needs one more round trip. Tenants take turns, and a tenant has at most its share of the connections, so the slow statements
 * of one tenant never use up the pool. `connect` and `query` return promises. They do not support callbacks, which `pg` supports.
 */
export class TenantPool extends Pool {
  readonly #turns: FairQueue;
  readonly #connectionMs: number;
  /** How the turn of each connection in use ends. */
  readonly #endTurn = new WeakMap<PoolClient, () => void>();

  constructor({
    max,
    connectionTimeoutMillis,
    ...config
  }: PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super({ ...config, max, connectionTimeoutMillis, Client: PreparingClient });
    this.#connectionMs = connectionTimeoutMillis;
    this.#turns = new FairQueue({ slots: max, slotsPerTenant: Math.ceil(max * tenantShare) });
    this.on('release', (_error, client) => this.#endTurn.get(client)?.());
  }

  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const client = await this.#connectInTurn();
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

  /** A connection that belongs to the current tenant until its release. The wait for the turn and for the connection have one time limit. */
  async #connectInTurn(): Promise<PoolClient> {
    const startedAt = performance.now();
    const endTurn = await this.#turns.take({ withinMs: this.#connectionMs }).catch((error: unknown) => {
      throw error instanceof QueueTimeoutError ? new Error(timeoutText, { cause: error }) : error;
    });
    const opening = super.connect().then(
      (client) => {
        this.#endTurn.set(client, endTurn);
        return client;
      },
      (error: unknown) => {
        endTurn();
        throw error;
      },
    );
    const remainingMs = this.#connectionMs - (performance.now() - startedAt);
    return within(remainingMs, opening);
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

/** Waits for a connection. If the time ends first, throws, and a connection that opens later goes back to the pool. */
function within(timeoutMs: number, opening: Promise<PoolClient>): Promise<PoolClient> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(timeoutText));
      opening.then(
        (client) => client.release(),
        () => undefined,
      );
    }, timeoutMs);
    opening.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
