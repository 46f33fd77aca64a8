import type { Pool, PoolClient } from './postgres/postgres';

/** An entry of the audit log: an access to data, or a change of data. */
export interface AuditEntry {
  tenant: string;
  /**
   * What the data belongs to: the id of a transaction, webhook or block, a flow as `flow/<name>`, or `brand`. For a search of transactions, the
   * text `transactions`.
   */
  owner: string;
  /** Who did it: the id of a client, a part of the service, or `person`. */
  actor: string;
  /** What was done, in the past tense: `images_erased`. */
  action: string;
  /** Counts and ids. Never personal data, because the log is kept longer than the images. */
  detail?: Readonly<Record<string, unknown>>;
}

type AuditOwner = Pick<AuditEntry, 'tenant' | 'owner'>;

const recordSql = `insert into audit_log (tenant, owner, actor, action, detail) values ($1, $2, $3, $4, $5)`;

/**
 * Writes an entry. If `database` is the connection of a database transaction, the entry is committed together with the change that it
 * describes.
 */
export async function addAuditEntry(database: Pool | PoolClient, entry: AuditEntry): Promise<void> {
  const { tenant, owner, actor, action, detail = {} } = entry;
  await database.query(recordSql, [tenant, owner, actor, action, JSON.stringify(detail)]);
}

const hasSql = `
  select from audit_log where tenant = $1 and owner = $2 and action = $3 and detail @> $4 limit 1`;

/** Whether the log of an owner has an entry for an action with these details. */
export async function hasAuditEntry(
  client: PoolClient,
  { tenant, owner, action, detail = {} }: Omit<AuditEntry, 'actor'>,
): Promise<boolean> {
  return (await client.query(hasSql, [tenant, owner, action, JSON.stringify(detail)])).rows.length > 0;
}

/**
 * The action of an operator who reads the history of a workflow. One history gives hundreds of entries, because the Temporal UI sends a
 * request for each payload. So `readAuditEntries` leaves these entries out.
 */
export const payloadsDecoded = 'payloads_decoded';

const readSql = `
  select at, actor, action, detail from audit_log where tenant = $1 and owner = $2 and action <> '${payloadsDecoded}'
  order by id desc limit $3`;

/** The entries of an owner except those of `payloadsDecoded`, newest first, at most `limit`. */
export async function readAuditEntries(
  pool: Pool,
  { tenant, owner }: AuditOwner,
  limit: number,
): Promise<(Required<Omit<AuditEntry, keyof AuditOwner>> & { at: Date })[]> {
  return (await pool.query(readSql, [tenant, owner, limit])).rows;
}
