import type { SealedImages } from '../../images/sealed-images';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres/postgres';
import type { Activities } from '../../workflows/ports';

export interface EraserDependencies {
  images: Pick<SealedImages, 'erase'>;
  logger: Logger;
}

/**
 * Creates the activity that erases all images of a transaction, including uploads in progress. If Temporal retries the activity because its
 * answer was lost, the retry erases nothing. If the image store cannot remove the objects, the erasure still succeeds: nobody can decrypt
 * the objects any more, and the retention schedule removes them later.
 */
export function createEraser({ images, logger }: EraserDependencies): Activities['eraseImages'] {
  return async ({ tenant, transactionId, erasedAt, actor }) => {
    const { erased, storeFailure } = await images.erase({ tenant, owner: transactionId, actor, erasedAt });
    if (storeFailure !== undefined)
      logger.warn(
        { transactionId, failure: errorName(storeFailure) },
        'the store did not remove erased images; the retention schedule tries again',
      );
    return { erased };
  };
}
