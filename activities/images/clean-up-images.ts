import type { SealedImages } from '../../platform/images/sealed-images';
import type { Uploads } from '../../platform/images/uploads';
import type { RetentionActivities } from '../../workflows/ports';

/** Owners of one batch: some seconds of work, so that a worker that stops loses little. */
const ownersMax = 500;

export interface CleanupDependencies {
  images: Pick<SealedImages, 'eraseDue'>;
  uploads: Pick<Uploads, 'cleanUp'>;
  /** Aborted when the activity is to end: what is left is for the next attempt. */
  signal: () => AbortSignal;
}

/**
 * Erases what is past its time. Uploads come first: they need no store, and one that is away must not keep them. What was
 * erased before a failure stays erased and in the audit log, so that the next attempt goes on.
 */
export function createImageCleanup({
  images,
  uploads,
  signal,
}: CleanupDependencies): RetentionActivities['sweepImages'] {
  return async () => {
    const now = new Date();
    const swept = await uploads.cleanUp(now);
    const { erased, removed } = await images.eraseDue(now, ownersMax, signal());
    return { images: erased, objects: removed, uploads: swept };
  };
}
