import { randomUUID } from 'node:crypto';
import { type DataOwner, findDataKey, findOrCreateDataKey } from '../platform/keys/data-keys';
import { findWrappedKey, isErased } from '../platform/keys/data-keys.sql';
import type { Keys } from '../platform/keys/service-keys';
import { eachRow, type EachRowOptions } from '../platform/each-row';
import { inTransaction, type Pool, type PoolClient } from '../platform/postgres/postgres';
import { eraseExpiredImages, eraseImage, eraseImagesOnce, removeErasedObjects } from './erase-images';
import { isUuid } from '../platform/uuid';
import { type ImageStore, objectKeyOf } from './object-stores';
import { addImage, findImageKind, findOwnersOfExpiredImages, markImageStored } from './images.sql';
import { lockOwner } from './uploads.sql';
import { readSignedToken, seal, signToken, unseal } from '../platform/keys/seal';

/** An image was not saved, because its transaction, or all images of its transaction, were erased at the same time. */
export class ImageErasedError extends Error {
  override name = 'ImageErasedError';
}

/** How `SealedImages.eraseExpired` works. */
export interface ExpiryOptions extends Pick<EachRowOptions<DataOwner>, 'logger' | 'signal' | 'startsForMs'> {
  /** At most this many transactions and objects. */
  limit: number;
  /** Transactions that are left out, because an earlier call failed for them. */
  skip?: readonly DataOwner[];
  /**
   * Called in the database transaction that erases images, with the biometrics links that have no image left. Not called for an erased
   * transaction.
   */
  onErased?: (client: PoolClient, imageOwner: DataOwner, links: readonly string[]) => Promise<void>;
}

/** The result of `SealedImages.eraseExpired`. `skipped`: the transactions for which it failed. */
export interface ExpiryResult {
  erased: number;
  objectsRemoved: number;
  skipped: DataOwner[];
}

/** Images of persons, encrypted with the key of their owner (a transaction) and stored for a limited time. */
export interface SealedImages {
  /**
   * Saves an image of a biometrics link until `deleteAfter`. When the promise resolves, the image is durable. Throws the errors of the store. Throws
   * ImageErasedError if the images of the owner were erased at the same time; nobody can read the image then.
   */
  save(image: DataOwner & { linkId: string; kind: string; jpeg: Buffer; deleteAfter: Date }): Promise<{ id: string }>;
  /**
   * The JPEG of an image; undefined if the owner has no such image. Throws BrokenSealError if the stored object was changed, and the
   * errors of the store.
   */
  read(image: DataOwner & { id: string }): Promise<Buffer | undefined>;
  /** Whether the image is readable according to the database. Does not check the store. */
  has(image: DataOwner & { id: string }): Promise<boolean>;
  /**
   * Erases one image; does nothing if there is none. First makes the image unreadable, which does not need the store. Then removes the
   * object. If the store fails, throws its error: the next `erase` or `eraseExpired` removes the object. `actor` is for the audit log.
   */
  eraseImage(image: DataOwner & { id: string; actor: string }): Promise<void>;
  /**
   * Erases all images and uploads of an owner and returns the number of images. First destroys their key, so that nobody can read them.
   * This does not need the store. Then removes the objects. If the store fails, `storeFailure` is the error, and the next `erase` or
   * `eraseExpired` removes the objects. `erasedAt` is the time of the request. A repeat with the same time erases nothing, not even
   * images that were saved in the meantime. `actor` is for the audit log.
   */
  erase(
    imageOwner: DataOwner & { actor: string; erasedAt: string },
  ): Promise<{ erased: number; storeFailure?: unknown }>;
  /** Removes the objects of an owner's erased images. If the store fails, throws its error. The next `eraseExpired` then removes them. */
  removeObjects(imageOwner: DataOwner): Promise<void>;
  /**
   * Erases the expired images of at most `limit` transactions. Then removes at most `limit` objects of erased images, including objects
   * whose removal failed before. Safe to call from any number of processes. If the erasure of one transaction fails, skips it. If the
   * store fails for an object, continues with the other objects, and throws the error at the end. If the store is unavailable, throws at
   * once. An aborted `signal` stops the work between two transactions or objects. The next call continues.
   */
  eraseExpired(now: Date, options: ExpiryOptions): Promise<ExpiryResult>;
}

/** The context that an image is sealed with. If somebody swaps rows or objects, the context does not match, and nothing is decrypted. */
const contextOf = (id: string, { tenant, owner }: DataOwner, kind: string) => ['image', id, tenant, owner, kind];

/** Sealed images: their rows and keys are in Postgres, and their objects in `store`. */
export function createSealedImages(
  pool: Pool,
  { serviceKeys }: Pick<Keys, 'serviceKeys'>,
  store: ImageStore,
): SealedImages {
  return {
    async save({ tenant, owner, linkId, kind, jpeg, deleteAfter }) {
      const [id, imageOwner] = [randomUUID(), { tenant, owner }];
      const key = await inTransaction(pool, async (client) => {
        if (await isErased(client, imageOwner)) throw new ImageErasedError('The transaction is erased.');
        await lockOwner(client, imageOwner);
        await addImage(client, { id, tenant, owner, linkId, kind, bytes: jpeg.length, deleteAfter });
        return findOrCreateDataKey(client, serviceKeys, imageOwner, 'images');
      });
      await store.put(objectKeyOf(id), seal(key, jpeg, contextOf(id, imageOwner, kind)));
      if (await markImageStored(pool, id)) return { id };
      // The erasure may have tried to remove the object before `put` stored it.
      await store.remove(objectKeyOf(id));
      throw new ImageErasedError('The images of the transaction were erased while an image was being saved.');
    },
    async read({ tenant, owner, id }) {
      if (!isUuid(id)) return undefined;
      const kind = await findImageKind(pool, id, { tenant, owner });
      if (kind === undefined) return undefined;
      const key = await findDataKey(pool, serviceKeys, { tenant, owner }, 'images');
      const sealed = key && (await store.get(objectKeyOf(id)));
      return sealed && unseal(key, sealed, contextOf(id, { tenant, owner }, kind));
    },
    async has({ tenant, owner, id }) {
      if (!isUuid(id) || (await findImageKind(pool, id, { tenant, owner })) === undefined) return false;
      return (await findWrappedKey(pool, { tenant, owner, purpose: 'images' })) !== undefined;
    },
    async eraseImage({ tenant, owner, id, actor }) {
      if (!isUuid(id)) return;
      await inTransaction(pool, (client) => eraseImage(client, id, { tenant, owner }, actor));
      await removeErasedObjects(pool, store, { tenant, owner });
    },
    async erase({ tenant, owner, actor, erasedAt }) {
      const erased = await inTransaction(pool, (client) => eraseImagesOnce(client, { tenant, owner }, actor, erasedAt));
      const removal = removeErasedObjects(pool, store, { tenant, owner }).then(
        () => ({}),
        (storeFailure: unknown) => ({ storeFailure }),
      );
      return { erased, ...(await removal) };
    },
    async removeObjects({ tenant, owner }) {
      await removeErasedObjects(pool, store, { tenant, owner });
    },
    async eraseExpired(now, { limit, skip = [], onErased, ...options }) {
      const expired = await findOwnersOfExpiredImages(pool, now, limit, skip);
      const eraseOf = (imageOwner: DataOwner) =>
        inTransaction(pool, async (client) => {
          const isTransactionErased = await isErased(client, imageOwner);
          const { count, links } = await eraseExpiredImages(client, imageOwner, now);
          if (!isTransactionErased && links.length > 0) await onErased?.(client, imageOwner, links);
          return count;
        });
      const { results, skipped } = await eachRow(expired, eraseOf, {
        ...options,
        task: 'erase expired images',
        idsOf: ({ tenant, owner }) => ({ tenant, transactionId: owner }),
        probe: () => pool.query('select 1'),
      });
      const { signal } = options;
      const objectsRemoved = await removeErasedObjects(pool, store, { limit, ...(signal && { signal }) });
      return { erased: results.reduce((sum, count) => sum + count, 0), objectsRemoved, skipped };
    },
  };
}

/** The target of a signed URL: one image. */
export interface ImageTarget {
  tenant: string;
  /** Id of the transaction. */
  owner: string;
  /** Id of the image. */
  id: string;
  /** Id of the client that requested the URL. The audit log names this client for every access. */
  actor: string;
  /** From this time on, the URL is invalid. */
  expiresAt: Date;
}

type UrlKeys = Pick<Keys, 'imageUrl'>;
type TokenContent = [tenant: string, owner: string, id: string, expiresAtMs: number, actor: string];

/** The signed path of an image. Until `expiresAt`, everyone who knows the path can open the image. The path has no personal data. */
export function imagePath(keys: UrlKeys, { tenant, owner, id, actor, expiresAt }: ImageTarget): string {
  const content: TokenContent = [tenant, owner, id, expiresAt.getTime(), actor];
  return `/images/${signToken(keys.imageUrl, content)}`;
}

/** The target of the token in a signed path. `expired` if its time is over. Undefined if its signature is invalid. */
export function readImageToken(keys: UrlKeys, token: string, now: Date): ImageTarget | 'expired' | undefined {
  const content = readSignedToken(keys.imageUrl, token) as TokenContent | undefined;
  if (!content) return undefined;
  const [tenant, owner, id, expiresAtMs, actor] = content;
  return now.getTime() < expiresAtMs ? { tenant, owner, id, actor, expiresAt: new Date(expiresAtMs) } : 'expired';
}
