import type { AuditEntry } from '../../platform/audit';
import { BrokenSealError } from '../../platform/images/seal';
import type { SealedImages } from '../../platform/images/sealed-images';
import type { Logger } from '../../platform/logger';
import type { Activities, ImagesToVerify } from '../../workflows/ports';
import { type FacePair, type FaceVerifier, FaceVerifierError } from './face-verifier';

export interface FaceDependencies {
  /** Writes an entry of the audit log. */
  audit: (entry: AuditEntry) => Promise<void>;
  images: Pick<SealedImages, 'read'>;
  /** Absent when none is set up. */
  faceVerifier?: FaceVerifier;
  logger: Logger;
}

async function readPair(images: FaceDependencies['images'], asked: ImagesToVerify): Promise<FacePair | undefined> {
  const { tenant, transactionId: owner } = asked;
  const read = (id: string) => images.read({ tenant, owner, id });
  const [selfie, documentFront] = await Promise.all([read(asked.selfie), read(asked.documentFront)]);
  return selfie && documentFront && { selfie, documentFront };
}

/** Tells operators of what no further attempt would change, and throws everything else. */
function unlessFinal(logger: Logger, transactionId: string): (error: unknown) => null {
  return (error) => {
    if (error instanceof FaceVerifierError && !error.isUnavailable)
      logger.warn({ transactionId, fault: error.fault }, 'the face verifier returned no findings');
    else if (error instanceof BrokenSealError)
      logger.error({ transactionId }, 'an image does not match the stored one');
    else throw error;
    return null;
  };
}

/**
 * Asks the face verifier about two images of a transaction. Null, so that a reviewer decides alone, when there is no
 * verifier, when an image is gone or not the one that was kept, and when the verifier answers these images with nothing
 * of use. While it or the store is away it fails and may be tried again. It does not heartbeat: there is no progress to
 * tell of two readings and one exchange that has a timeout of its own.
 */
export function createFaceVerification({
  audit,
  images,
  faceVerifier,
  logger,
}: FaceDependencies): Activities['verifyFaces'] {
  return async (asked) => {
    if (!faceVerifier) return null;
    const verify = async () => {
      const pair = await readPair(images, asked);
      if (!pair) return null;
      // The person was told that every look is recorded: before it happens, or it does not.
      const { tenant, transactionId: owner, selfie, documentFront } = asked;
      const detail = { images: [selfie, documentFront] };
      await audit({ tenant, owner, actor: 'face-verifier', action: 'images_sent', detail });
      return faceVerifier.verify(pair);
    };
    return verify().catch(unlessFinal(logger, asked.transactionId));
  };
}
