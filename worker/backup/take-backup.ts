import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { countDataKeys, countKeysByServiceKey } from '../../platform/keys/data-keys.sql';
import { findInstallation, type Installation, keyIdOfRootSecret } from '../../platform/keys/root-secret';
import type { ServiceKeys } from '../../platform/keys/service-keys';
import { findSigningKeys } from '../../platform/keys/signing-keys.sql';
import { findMigrations, type Session, withSession } from '../../platform/postgres/session';
import type { ErasureLog } from '../../store/privacy/erasure-log';
import { countTransactions } from '../../store/transactions/restored-records.sql';
import { findStoredImages } from '../../images/images.sql';
import type { ImageStore } from '../../images/object-stores';
import { copyImages } from './images';
import { lockBackups } from './lock';
import {
  BackupError,
  folders,
  incompletePrefix,
  type KeysManifest,
  listBackups,
  type MainManifest,
  readMainPart,
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
  serviceKeys: ServiceKeys;
  /** Copies the images. `place`: where they are, for operators. Undefined: they are not copied. */
  images: { store: Pick<ImageStore, 'get'>; place: string } | undefined;
  /** For how many days backups of the data keys, and erased images, are kept. Older ones are deleted. */
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
 * The installation of the database, if it may be backed up into the folder. An empty database or a half restored one would become the newest
 * backup, and two installations in one folder would mix. Throws BackupError.
 */
async function checkInstallation(session: Session, serviceKeys: ServiceKeys, to: string): Promise<Installation> {
  const installation = await findInstallation(session, serviceKeys);
  if (!installation)
    throw new BackupError(
      'The database has no root secret: no API or worker has ever used it. Was its volume lost? Set DATABASE_URL to the database of the service, or restore a backup first.',
    );
  if (installation.isRestoring)
    throw new BackupError(
      'The restore of this database is not complete. Run `npm run restore` again, with --overwrite.',
    );
  const folder = path.join(to, folders.main);
  if ((await listBackups(folder)).length === 0) return installation;
  const { manifest } = await readMainPart(to);
  if (manifest.installation !== installation.id)
    throw new BackupError(
      `${folder} has backups of another installation: its newest, ${manifest.id}, has another root secret than the database of DATABASE_URL. If the volume of the database was lost, restore a backup. For a new installation, choose another folder with --to.`,
    );
  return installation;
}

/**
 * Takes a backup in the order that a restore needs: the tables, then the data keys, so that no transaction of the backup lacks its key, then
 * the images, so that no image of the backup is missing. A part gets its name only when it is complete. Returns the id of the backup. Throws
 * BackupError, ConfigurationError and PostgresProgramError.
 */
export function takeBackup(options: BackupOptions): Promise<string> {
  return withSession(options.databaseUrl, async (session) => {
    await lockBackups(session);
    const installation = await checkInstallation(session, options.serviceKeys, options.to);
    return takeBackupOf(installation, session, options);
  });
}

async function takeBackupOf(installation: Installation, locked: Session, options: BackupOptions): Promise<string> {
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
          installation: installation.id,
          serviceKeys: [...new Set([...(rootKey ? [rootKey] : []), ...signingKeys.map(({ keyId }) => keyId)])],
          file,
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
  if (images) {
    const { missing } = await progress.step(
      'images',
      (update) =>
        copyImages(
          images.store,
          storedImages,
          { folder: path.join(to, folders.images), keepDays: keepKeysDays },
          update,
        ),
      ({ copied, removed }) => `${formatCount(copied)} copied, ${formatCount(removed)} removed`,
    );
    await requireImages(locked, missing, images.place);
  }
  const common = { format: 1, id } as const;
  const mainManifest: MainManifest = { ...common, part: 'main', ...main };
  const keysManifest: KeysManifest = { ...common, part: 'data-keys', ...keys };
  await writeManifest(mainFolder, mainManifest);
  await writeManifest(keysFolder, keysManifest);
  // Fails if the session was lost: a restore may have begun.
  await lockBackups(locked);
  // A backup of the tables without its keys would look complete, so the keys come first.
  for (const folder of [keysFolder, mainFolder]) {
    await rename(folder, path.join(path.dirname(folder), id));
    await syncFolder(path.dirname(folder));
  }
  await removeOld(to, id, keepKeysDays);
  return id;
}

/** Enough to find the cause: the folder or bucket is another one, or single images are lost. */
const namedMax = 3;

/** Images that were erased while they were copied are not in the table any more. Throws BackupError if others could not be copied. */
async function requireImages(session: Session, missing: readonly string[], place: string): Promise<void> {
  const stored = missing.length === 0 ? new Set<string>() : new Set(await findStoredImages(session));
  const lost = missing.filter((id) => stored.has(id));
  if (lost.length === 0) return;
  const names = `${lost.slice(0, namedMax).join(', ')}${lost.length > namedMax ? ', and more' : ''}`;
  throw new BackupError(
    `${place} lacks ${formatCount(lost.length)} images of the database: ${names}. The backup was not completed. Set IMAGES_DIR to the absolute path of the folder that API and worker use, or the settings of the bucket. If the images are lost, add --images no.`,
  );
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
