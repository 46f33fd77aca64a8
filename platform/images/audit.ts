import type { Pool, PoolClient } from '../postgres';

/** Something that was done to, or read of, what belongs to one owner. */
export interface AuditEntry {
  tenant: string;
  owner: string;
  /** Who did it: a client's id, or a part of the service. */
  actor: string;
  /** What was done, in the past: `images_erased`. */
  action: string;
  /** Counts and ids. Never personal data: the log outlives it. */
  detail?: Readonly<Record<string, unknown>>;
}

const recordSql = `insert into audit_log (tenant, owner, actor, action, detail) values ($1, $2, $3, $4, $5)`;

/** Writes an entry. Given a client inside a transaction, it holds exactly when what it tells of does. */
export async function recordAudit(database: Pool | PoolClient, entry: AuditEntry): Promise<void> {
  const { tenant, owner, actor, action, detail = {} } = entry;
  await database.query(recordSql, [tenant, owner, actor, action, JSON.stringify(detail)]);
}
