import type { SealedImages } from '../../platform/images/sealed-images';
import type { Uploads } from '../../platform/images/uploads';
import type { RetentionActivities } from '../../workflows/ports';

/** Transactions in one batch. A batch takes some seconds, so a worker that stops loses little work. */
const ownersPerBatch = 500;

export interface CleanupDependencies {
  images: Pick<SealedImages, 'eraseExpired'>;
  uploads: Pick<Uploads, 'cleanUp'>;
  /** Aborted when the activity must end. The next attempt continues. */
  signal: () => AbortSignal;
}

/**
 * Erases expired images and deletes abandoned uploads. Uploads come first: they are in Postgres, and the image store
 * may be unavailable. What was erased before a failure stays erased and in the audit log; the next attempt continues.
 */
export function createImageCleanup({
  images,
  uploads,
  signal,
}: CleanupDependencies): RetentionActivities['cleanUpImages'] {
  return async () => {
    const now = new Date();
    const deleted = await uploads.cleanUp(now);
    const { erased, objectsRemoved } = await images.eraseExpired(now, ownersPerBatch, signal());
    return { images: erased, objects: objectsRemoved, uploads: deleted };
  };
}
