import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { countDataKeys, countKeysByServiceKey } from '../../platform/keys/data-keys.sql';
import { keyIdOfRootSecret } from '../../platform/keys/root-secret';
import { findSigningKeys } from '../../platform/keys/signing-keys.sql';
import { findMigrations, type Session, withSession } from '../../platform/postgres/session';
import type { ErasureLog } from '../../store/privacy/erasure-log';
import { countTransactions } from '../../store/transactions/restored-records.sql';
import { findStoredImages } from '../../images/images.sql';
import type { ImageStore } from '../../images/object-stores';
import { copyImages } from './images';
import {
  folders,
  incompletePrefix,
  type KeysManifest,
  listBackups,
  type MainManifest,
  writeManifest,
} from './manifest';
import { dump, type ProgramTarget } from './postgres-programs';
import { formatBytes, formatCount, type Progress } from './progress';

export interface BackupOptions {
  /** The address of Postgres itself. */
  databaseUrl: string;
  target: ProgramTarget;
  /** The folder of all backups. */
  to: string;
  erasureLog: Pick<ErasureLog, 'appendBackup'>;
  /** Copies the images. Undefined: they are not copied. */
  images: Pick<ImageStore, 'get'> | undefined;
  /** For how many days backups of the data keys are kept. Older ones are deleted after this backup. */
  keepKeysDays: number;
  progress: Progress;
}

const dayMs = 86_400_000;
/** A backup that takes longer was interrupted. */
const abandonedAfterMs = dayMs;

/** The time as the id of a backup: a valid name of a file and of an object. */
const idOf = (time: Date) => time.toISOString().slice(0, 19).replaceAll(':', '-').toLowerCase().concat('z');

/** What a part is at the time of its snapshot, while pg_dump reads it with the same snapshot. */
async function inSnapshot<Result>(
  databaseUrl: string,
  work: (session: Session, snapshot: string, at: string) => Promise<Result>,
): Promise<Result> {
  return withSession(databaseUrl, async (session) => {
    await session.query('begin transaction isolation level repeatable read read only');
    const { rows } = await session.query<{ snapshot: string; at: Date }>(
      'select pg_export_snapshot() as snapshot, now() as at',
    );
    const [row] = rows;
    if (!row) throw new Error('Postgres returned no snapshot: this is a bug.');
    return work(session, row.snapshot, row.at.toISOString());
  });
}

/** Makes a new name in a folder durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Takes a backup in the order that a restore needs: the tables, then the data keys, so that no transaction of the backup lacks its key, then
 * the images, so that no image of the backup is missing. A part gets its name only when it is complete. Returns the id of the backup.
 */
export async function takeBackup(options: BackupOptions): Promise<string> {
  const { databaseUrl, target, to, erasureLog, images, keepKeysDays, progress } = options;
  const id = idOf(new Date());
  const parts = [folders.main, folders.keys].map((name) => path.join(to, name));
  for (const folder of parts) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(path.join(folder, `${incompletePrefix}${id}`), { mode: 0o700 });
  }
  const [mainFolder = '', keysFolder = ''] = parts.map((folder) => path.join(folder, `${incompletePrefix}${id}`));
  // First, so that a restore finds every erasure that this backup may not have.
  await erasureLog.appendBackup(id);

  const describe = ({ file }: { file: { bytes: number } }, count: number, noun: string) =>
    `${formatCount(count)} ${noun}, ${formatBytes(file.bytes)}`;
  const { storedImages, ...main } = await progress.step(
    'tables without data keys',
    (update) =>
      inSnapshot(databaseUrl, async (session, snapshot, at) => {
        const file = await dump(
          target,
          { path: path.join(mainFolder, 'main.dump'), name: 'main.dump' },
          [`--snapshot=${snapshot}`, '--exclude-table-data=data_keys', '--exclude-table-data=rate_limits'],
          (bytes) => update(formatBytes(bytes)),
        );
        const rootKey = await keyIdOfRootSecret(session);
        const signingKeys = await findSigningKeys(session);
        return {
          at,
          serviceKeys: [...new Set([...(rootKey ? [rootKey] : []), ...signingKeys.map(({ keyId }) => keyId)])],
          file,
          postgres:
            (await session.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '',
          migrations: await findMigrations(session),
          ...(await countTransactions(session)),
          storedImages: images ? await findStoredImages(session) : [],
        };
      }),
    (result) => describe(result, result.transactions, 'transactions'),
  );
  const keys = await progress.step(
    'data keys',
    (update) =>
      inSnapshot(databaseUrl, async (session, snapshot, at) => ({
        at,
        serviceKeys: (await countKeysByServiceKey(session)).map(({ keyId }) => keyId),
        file: await dump(
          target,
          { path: path.join(keysFolder, 'data_keys.dump'), name: 'data_keys.dump' },
          [`--snapshot=${snapshot}`, '--table=data_keys', '--data-only'],
          (bytes) => update(formatBytes(bytes)),
        ),
        dataKeys: await countDataKeys(session),
      })),
    (result) => describe(result, result.dataKeys, 'keys'),
  );
  if (images)
    await progress.step(
      'images',
      (update) => copyImages(images, storedImages, path.join(to, folders.images), update),
      ({ copied, removed }) => `${formatCount(copied)} copied, ${formatCount(removed)} removed`,
    );
  const common = { format: 1, id } as const;
  const mainManifest: MainManifest = {
    ...common,
    part: 'main',
    ...main,
    ...(images && { images: storedImages.length }),
  };
  const keysManifest: KeysManifest = { ...common, part: 'data-keys', ...keys };
  await writeManifest(mainFolder, mainManifest);
  await writeManifest(keysFolder, keysManifest);
  // A backup of the tables without its keys would look complete, so the keys come first.
  for (const folder of [keysFolder, mainFolder]) {
    await rename(folder, path.join(path.dirname(folder), id));
    await syncFolder(path.dirname(folder));
  }
  await removeOld(to, id, keepKeysDays);
  return id;
}

/** Removes backups of the data keys that are too old, and backups that were interrupted. */
async function removeOld(to: string, newest: string, keepKeysDays: number): Promise<void> {
  const keysFolder = path.join(to, folders.keys);
  const oldest = idOf(new Date(Date.now() - keepKeysDays * dayMs));
  for (const id of await listBackups(keysFolder))
    if (id < oldest && id !== newest) await rm(path.join(keysFolder, id), { recursive: true });
  for (const name of [folders.main, folders.keys]) await removeAbandoned(path.join(to, name));
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(incompletePrefix)) continue;
    const { mtimeMs } = await stat(path.join(folder, name));
    if (mtimeMs < Date.now() - abandonedAfterMs) await rm(path.join(folder, name), { recursive: true });
  }
}
