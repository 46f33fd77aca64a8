import type { SealedImages } from '../../images/sealed-images';
import type { Uploads } from '../../images/uploads';
import { errorName, type Logger } from '../../platform/logger';
import type { ErasureLog } from '../../store/privacy/erasure-log';
import { addImageErasures } from '../../store/transactions/biometrics-links.sql';
import type { Activities, RetentionActivities } from '../../workflows/contract/activities';
import { batchStartsForMs } from '../privacy/erase-expired';

/**
 * One call of the activity erases the images of at most this many transactions, and removes at most this many objects from the image
 * store. A call takes some seconds, so a worker that stops loses little work.
 */
const batchSize = 500;

export interface CleanupDependencies {
  images: Pick<SealedImages, 'eraseExpired'>;
  uploads: Pick<Uploads, 'cleanUp'>;
  logger: Logger;
  /** Returns a signal that is aborted when the activity must end. The next attempt does the rest. */
  signal: () => AbortSignal;
}

/**
 * Creates the activity that erases expired images and deletes abandoned uploads. Uploads come first: they are in Postgres, so they are
 * deleted even if the image store is unavailable. What was erased before a failure stays erased, and stays in the audit log. The next
 * attempt continues. Callers get an event for each biometrics link whose images were erased.
 */
export function createImageCleanup({
  images,
  uploads,
  logger,
  signal,
}: CleanupDependencies): RetentionActivities['cleanUpImages'] {
  return async ({ skip = [] } = {}) => {
    const now = new Date();
    const options = {
      skip: skip.map(({ tenant, id }) => ({ tenant, owner: id })),
      startsForMs: batchStartsForMs,
      logger,
    };
    const { deleted, skipped: withUploads } = await uploads.cleanUp(now, options);
    const { erased, objectsRemoved, skipped } = await images.eraseExpired(now, {
      ...options,
      limit: batchSize,
      onErased: (client, { tenant, owner }, links) => addImageErasures(client, { tenant, id: owner }, links, now),
      signal: signal(),
    });
    return {
      images: erased,
      objects: objectsRemoved,
      uploads: deleted,
      skipped: [...withUploads, ...skipped].map(({ tenant, owner }) => ({ tenant, id: owner })),
    };
  };
}

export interface EraserDependencies {
  images: Pick<SealedImages, 'erase'>;
  erasureLog: Pick<ErasureLog, 'append'>;
  logger: Logger;
}

/**
 * Creates the activity that erases all images of a transaction, including uploads in progress. If Temporal retries the activity because its
 * answer was lost, the retry erases nothing. If the erasure log is unavailable, the retry waits for it. If the image store cannot remove the
 * objects, the erasure still succeeds: nobody can decrypt the objects any more, and the retention schedule removes them later.
 */
export function createEraser({ images, erasureLog, logger }: EraserDependencies): Activities['eraseImages'] {
  return async ({ tenant, transactionId, erasedAt, actor }) => {
    await erasureLog.append({ tenant, id: transactionId }, 'images');
    const { erased, storeFailure } = await images.erase({ tenant, owner: transactionId, actor, erasedAt });
    if (storeFailure !== undefined)
      logger.warn(
        { transactionId, failure: errorName(storeFailure) },
        'the store did not remove erased images; the retention schedule tries again',
      );
    return { erased };
  };
}
