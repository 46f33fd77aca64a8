import path from 'node:path';
import { createFilesStore, type ImageStore } from '../../images/object-stores';
import { openImageStore } from '../../images/s3-store';
import type { ImagesConfig } from '../../platform/config';
import type { TenantTransaction } from '../transactions/erased-records.sql';

/** What an erasure erases: the whole transaction, or only its images. */
export type ErasedPart = 'transaction' | 'images';

/** One erasure in the log. `at`: only for images: when, in ISO 8601. */
export interface LoggedErasure extends TenantTransaction {
  part: ErasedPart;
  at?: string;
}

/**
 * The log of all erasures, kept apart from Postgres: a restore of an older backup erases again what the log has. It has tenants and ids, and
 * no other data. Each entry is an object of its own, whose key says everything, so any number of processes may write, to a folder or a bucket.
 */
export interface ErasureLog {
  /** Adds an erasure. When the promise resolves, the entry is durable. A repeat on the same day changes nothing. */
  append(target: TenantTransaction, part: ErasedPart): Promise<void>;
  /** Adds a backup. Its entry proves later that a log was in use when the backup was taken. `id`: as in `2026-03-10t10-00-00z`. */
  appendBackup(id: string): Promise<void>;
  hasBackup(id: string): Promise<boolean>;
  /** The erasures of all days from the day before `since` on, oldest first: the clock that writes the log may be behind that of the backup. */
  readSince(since: Date): AsyncIterable<LoggedErasure>;
  /** Removes the erasures and backups of earlier days than that of `before`. Returns their number. */
  removeBefore(before: Date): Promise<number>;
}

const [erasures, backups] = ['erasures', 'backups-of-erasures'];

const dayMs = 86_400_000;
const dayLength = '2026-03-10'.length;
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Opens the log in a folder. */
export const openErasureLogFolder = (folder: string): ErasureLog =>
  createErasureLog(createFilesStore(path.resolve(folder)));

/** Opens the log: the folder ERASURE_LOG or, if it is not set, a folder of the image store. */
export function openErasureLog(config: ImagesConfig): ErasureLog {
  const { ERASURE_LOG: folder } = config;
  return folder === undefined ? createErasureLog(openImageStore(config)) : openErasureLogFolder(folder);
}

/** The log in an object store. */
export function createErasureLog(store: Pick<ImageStore, 'put' | 'get' | 'remove' | 'list'>): ErasureLog {
  const content = () => Buffer.from(new Date().toISOString());
  return {
    append: ({ tenant, id }, part) => store.put([erasures, dayOf(new Date()), tenant, id, part].join('/'), content()),
    appendBackup: (id) => store.put(`${backups}/${id}`, content()),
    hasBackup: async (id) => (await store.get(`${backups}/${id}`)) !== undefined,
    async *readSince(since) {
      const firstDay = dayOf(new Date(since.getTime() - dayMs));
      for await (const key of store.list(erasures)) {
        const [, day = '', tenant = '', id = '', part] = key.split('/');
        if (day < firstDay) continue;
        // A transaction stays erased. Images may be taken again, so their erasure needs its time.
        const at = part === 'images' ? (await store.get(key))?.toString() : undefined;
        yield { tenant, id, part: part as ErasedPart, ...(at !== undefined && { at }) };
      }
    },
    async removeBefore(before) {
      let removed = 0;
      for (const folder of [erasures, backups])
        for await (const key of store.list(folder)) {
          // Both a day and the id of a backup begin with the day, so the keys are in the order of their days.
          if ((key.split('/')[1] ?? '').slice(0, dayLength) >= dayOf(before)) break;
          await store.remove(key);
          removed += 1;
        }
      return removed;
    },
  };
}
