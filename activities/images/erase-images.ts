import type { SealedImages } from '../../platform/images/sealed-images';
import type { Activities } from '../../workflows/ports';

export interface EraserParts {
  images: Pick<SealedImages, 'erase'>;
}

/** Erases what a transaction has of images, uploads that are under way included. */
export function createEraser({ images }: EraserParts): Activities['eraseImages'] {
  return async ({ tenant, transactionId, actor }) => ({
    erased: await images.erase({ tenant, owner: transactionId, actor }),
  });
}
