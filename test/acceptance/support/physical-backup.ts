import { execFile } from 'node:child_process';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);

/**
 * Copies the files of a running Postgres with its write-ahead log, as pg_basebackup does. A server that starts on the copy accepts every
 * role without a password. `superuserAddress`: the address of the running server.
 */
export async function backUpPostgres(superuserAddress: string, folder: string, target: string): Promise<void> {
  const client = new Client({ connectionString: superuserAddress });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('test', true)`);
    await run('cp', ['-Rp', folder, target]);
    const { rows } = await client.query<{ label: string }>(
      'select labelfile as label from pg_backup_stop(wait_for_archive => false)',
    );
    const { uid, gid } = statSync(target);
    const labelFile = join(target, 'backup_label');
    writeFileSync(labelFile, rows[0]?.label ?? '');
    chownSync(labelFile, uid, gid);
    // The first copy may lack the last entries of the write-ahead log.
    await run('cp', ['-Rp', join(folder, 'pg_wal'), target]);
    rmSync(join(target, 'postmaster.pid'));
    writeFileSync(join(target, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  } finally {
    await client.end();
  }
}
