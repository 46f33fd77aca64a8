import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { serviceKeyId } from '../../platform/keys/service-keys';

/** A backup cannot be used, or not as requested. The message is for operators, and says what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const dumpFile = z.strictObject({ name: z.string(), bytes: z.int(), sha256: z.string().length(64) });

const common = {
  /** The version of this format. */
  format: z.literal(1),
  /** The id of the backup: when it began. */
  id: z.string(),
  /** The time of the snapshot: later changes are not in the part. ISO 8601. */
  at: z.iso.datetime(),
  /** The ids of the service keys that the part needs. */
  serviceKeys: z.array(z.string()),
  file: dumpFile,
};

/** The manifest of all tables except the data keys. */
const mainManifest = z.strictObject({
  ...common,
  part: z.literal('main'),
  /** The installation that was backed up: see `findInstallation`. */
  installation: z.string(),
  /** The migrations of the schema, in their order. */
  migrations: z.array(z.string()),
  transactions: z.int(),
});

/** The manifest of the table of data keys. */
const keysManifest = z.strictObject({ ...common, part: z.literal('data-keys'), dataKeys: z.int() });

export type MainManifest = z.infer<typeof mainManifest>;
export type KeysManifest = z.infer<typeof keysManifest>;

/** A part of a backup: a folder with one dump and its manifest. */
export interface BackupPart<Manifest> {
  folder: string;
  manifest: Manifest;
}

/** The folder of each part below the folder of backups. The images are shared by all backups, because an image never changes. */
export const folders = { main: 'main', keys: 'data-keys', images: 'images' } as const;

export const manifestName = 'manifest.json';

/** The name of a folder whose backup is not complete. */
export const incompletePrefix = '.incomplete-';

/** The ids of the complete backups of a part, oldest first. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => !name.startsWith('.')).toSorted();
}

async function readPart<Schema extends z.ZodType<MainManifest | KeysManifest>>(
  from: string,
  name: 'main' | 'keys',
  schema: Schema,
  wantedId?: string,
): Promise<BackupPart<z.infer<Schema>>> {
  const parent = path.join(from, folders[name]);
  const ids = await listBackups(parent);
  const id = wantedId ?? ids.at(-1);
  if (id === undefined) throw new BackupError(`There is no backup in ${parent}.`);
  if (!ids.includes(id))
    throw new BackupError(`There is no backup ${id} in ${parent}. It has: ${ids.join(', ') || 'none'}`);
  const folder = path.join(parent, id);
  const file = path.join(folder, manifestName);
  const parsed = schema.safeParse(await readJson(file));
  if (!parsed.success) throw new BackupError(`${file} is not valid: ${z.prettifyError(parsed.error)}`);
  return { folder, manifest: parsed.data };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new BackupError(`${file} cannot be read: ${(error as Error).message}. Use another backup.`);
  }
}

/** The part of all tables except the data keys. `id`: default: the newest. Throws BackupError. */
export const readMainPart = (from: string, id?: string) => readPart(from, 'main', mainManifest, id);

/** The part of the data keys. `id`: default: the newest. Throws BackupError. */
export const readKeysPart = (from: string, id?: string) => readPart(from, 'keys', keysManifest, id);

/** The service keys that a part needs, and that the settings lack. */
export function missingServiceKeys(
  { serviceKeys }: MainManifest | KeysManifest,
  settings: { SERVICE_KEY: string; OTHER_SERVICE_KEYS: readonly string[] },
): string[] {
  const available = new Set([settings.SERVICE_KEY, ...settings.OTHER_SERVICE_KEYS].map(serviceKeyId));
  return serviceKeys.filter((id) => !available.has(id));
}

/** Checks that the dump of a part is the one that its manifest describes. Throws BackupError. */
export async function checkFile({ folder, manifest }: BackupPart<MainManifest | KeysManifest>): Promise<void> {
  const dump = path.join(folder, manifest.file.name);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(dump)) hash.update(chunk as Buffer);
  if (hash.digest('hex') !== manifest.file.sha256)
    throw new BackupError(`${dump} is damaged: its checksum is not that of its manifest. Use another backup.`);
}

/** Writes the manifest of a part, durably. */
export async function writeManifest(folder: string, manifest: MainManifest | KeysManifest): Promise<void> {
  const handle = await open(path.join(folder, manifestName), 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(manifest, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
