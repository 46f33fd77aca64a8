import type { SealedImages } from '../../platform/images/sealed-images';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres';
import type { Activities } from '../../workflows/ports';

export interface EraserDependencies {
  images: Pick<SealedImages, 'erase'>;
  logger: Logger;
}

/**
 * Erases what a transaction has of images, uploads that are under way included. It fails only while nothing was erased:
 * objects that a store did not remove can be opened by nobody any more, and are left to retention.
 */
export function createEraser({ images, logger }: EraserDependencies): Activities['eraseImages'] {
  return async ({ tenant, transactionId, actor }) => {
    const { erased, storeFailure } = await images.erase({ tenant, owner: transactionId, actor });
    if (storeFailure !== undefined)
      logger.warn({ transactionId, failure: errorName(storeFailure) }, 'erased images could not be removed yet');
    return { erased };
  };
}
