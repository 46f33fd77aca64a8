import type { Session } from '../../platform/postgres/session';
import { BackupError } from './manifest';

const lockSql = `select pg_try_advisory_lock(hashtextextended('backup-and-restore', 0)) as locked`;

/**
 * Keeps other backups and restores from this database until the session ends: a backup during a restore would have half of the tables. Throws
 * BackupError if one of them runs.
 */
export async function lockBackups(session: Session): Promise<void> {
  if (!(await session.query<{ locked: boolean }>(lockSql)).rows[0]?.locked)
    throw new BackupError('Another backup or restore of this database is running. Wait until it has ended.');
}
