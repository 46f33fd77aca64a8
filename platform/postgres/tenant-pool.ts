import { escapeLiteral, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg';
import { within } from '../deadline';
import { FairQueue, QueueTimeoutError } from '../fair-queue';
import { currentScope } from './tenant-scope';
import { genericPlanSetting, PreparingClient } from './prepared-statements';
import { TracedClient } from './traced-client';

/**
 * The statement that tells Postgres which rows a connection may see. `scope`: the name of a tenant, `*` for all tenants, '' for none.
 * `until`: until the connection gets another scope, or until the database transaction ends (`local`).
 */
export const scopeStatement = (scope: string, until: 'session' | 'local' = 'session'): string =>
  `set ${until} countersign.tenant = ${escapeLiteral(scope)}`;

/** The tenant that was last set on each connection: `*` stands for all tenants, and '' for none. */
const scopeByClient = new WeakMap<PoolClient, string>();

/**
 * The share of one tenant in the connections of a pool. Two tenants whose statements are slow leave connections for a third. With a smaller
 * share, a process with only one tenant would wait for Postgres although connections are idle.
 */
const tenantShare = 2 / 5;

/** The same text as in `pg-pool`, so that `isOutage` needs to know only one. */
const timeoutText = 'timeout exceeded when trying to connect';

interface TenantPoolConfig extends PoolConfig {
  max: number;
  connectionTimeoutMillis: number;
  /** Whether the connections lead to a pooler in transaction mode. It gives each database transaction any connection to Postgres. */
  isPooler: boolean;
  /** Settings of Postgres, in milliseconds. */
  limits: Readonly<Record<'statement_timeout' | 'idle_in_transaction_session_timeout', number>>;
}

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
  /** Behind a pooler: the statements that set the limits for one database transaction. */
  readonly #localSettings: string | undefined;

  constructor({ max, connectionTimeoutMillis, isPooler, limits, ...config }: TenantPoolConfig) {
    // A pooler refuses unknown parameters of a connection, and its connections to Postgres do not have the prepared statements of ours.
    super({
      ...config,
      ...(!isPooler && limits),
      max,
      connectionTimeoutMillis,
      Client: isPooler ? TracedClient : PreparingClient,
    });
    this.#localSettings = isPooler
      ? Object.entries(limits)
          .map(([name, value]) => `set local ${name} = ${value}`)
          .join(';')
      : undefined;
    this.#connectionMs = connectionTimeoutMillis;
    this.#turns = new FairQueue({ slots: max, slotsPerTenant: Math.ceil(max * tenantShare) });
    this.on('release', (_error, client) => this.#endTurn.get(client)?.());
  }

  /**
   * The statement that begins a database transaction on a connection of this pool. Behind a pooler in transaction mode, it also sets the
   * tenant and the limits, which are then gone when the pooler gives the connection to others.
   */
  readonly beginStatement = (): string =>
    this.#localSettings === undefined
      ? 'begin'
      : ['begin', scopeStatement(currentScope(), 'local'), this.#localSettings].join(';');

  /** How many callers wait for a connection. Those of a tenant wait here when it has used up its share. */
  get turnsWaiting(): number {
    return this.#turns.waiting;
  }

  override async connect(): Promise<PoolClient> {
    const scope = currentScope();
    const client = await this.#connectInTurn();
    if (this.#localSettings !== undefined) return client;
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
    return within(remainingMs, opening, () => {
      // A connection that opens later goes back to the pool.
      opening.then(
        (client) => client.release(),
        () => undefined,
      );
      throw new Error(timeoutText);
    });
  }

  override readonly query = ((query: string | QueryConfig, values?: unknown[]) =>
    this.#query(query, values)) as Pool['query'];

  async #query(query: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    const client = await this.connect();
    try {
      const result = await this.#run(client, query, values);
      client.release();
      return result;
    } catch (error) {
      // Discards the connection after an error, because its prepared statements may be out of date. Keeps it after an expected error.
      client.release(isExpected(error) ? undefined : (error as Error));
      throw error;
    }
  }

  async #run(client: PoolClient, query: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    if (this.#localSettings === undefined) return client.query(query, values);
    await client.query(this.beginStatement());
    try {
      const result = await client.query(query, values);
      await client.query('commit');
      return result;
    } catch (error) {
      // A connection that is kept must not stay in the failed transaction.
      if (isExpected(error)) await client.query('rollback');
      throw error;
    }
  }
}

/** SQLSTATE of a violation of a unique constraint. */
const uniqueViolation = '23505';

/** Whether a statement of Postgres failed because another row has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === uniqueViolation;

/** Whether a statement failed as it may: by a unique constraint, or because a function of our schema says so (SQLSTATE CS…). */
function isExpected(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return isUniqueViolation(error) || (typeof code === 'string' && code.startsWith('CS'));
}
