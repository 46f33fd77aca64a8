import type { AuditEntry } from '../../platform/audit';
import { BrokenSealError } from '../../platform/keys/seal';
import type { SealedImages } from '../../images/sealed-images';
import type { Logger } from '../../platform/logger';
import type { Activities, ImagesToVerify } from '../../workflows/ports';
import { type FacePair, type FaceVerifier, FaceVerifierError } from './face-verifier';

export interface FaceDependencies {
  /** Writes an entry of the audit log. */
  audit: (entry: AuditEntry) => Promise<void>;
  images: Pick<SealedImages, 'read'>;
  /** Absent if the settings define no face verifier. */
  faceVerifier?: FaceVerifier;
  logger: Logger;
}

async function readPair(images: FaceDependencies['images'], pair: ImagesToVerify): Promise<FacePair | undefined> {
  const { tenant, transactionId: owner } = pair;
  const read = (id: string) => images.read({ tenant, owner, id });
  const [selfie, documentFront] = await Promise.all([read(pair.selfie), read(pair.documentFront)]);
  return selfie && documentFront && { selfie, documentFront };
}

/** Logs an error for which a retry does not help, and returns null. Throws every other error. */
function handleFinalError(logger: Logger, transactionId: string): (error: unknown) => null {
  return (error) => {
    if (error instanceof FaceVerifierError && !error.isUnavailable)
      logger.warn({ transactionId, reason: error.reason }, 'the face verifier returned no findings');
    else if (error instanceof BrokenSealError)
      logger.error({ transactionId }, 'a stored image was changed; the face verifier was not asked');
    else throw error;
    return null;
  };
}

/**
 * Creates the activity that asks the face verifier about two images of a transaction. It returns null in three cases: there is no verifier,
 * an image was erased or changed, or the verifier gives no findings and a retry does not help. A reviewer then decides without findings. If
 * the verifier or the store is unavailable, the activity fails, and Temporal retries it. The activity sends no heartbeat (a sign of life):
 * two reads and one request have no progress to report.
 */
export function createFaceVerification({
  audit,
  images,
  faceVerifier,
  logger,
}: FaceDependencies): Activities['verifyFaces'] {
  return async (imagesToVerify) => {
    if (!faceVerifier) return null;
    const verify = async () => {
      const pair = await readPair(images, imagesToVerify);
      if (!pair) return null;
      // The service promised the person to record every access to the images. So if this entry cannot be written, no image is sent.
      const { tenant, transactionId: owner, selfie, documentFront } = imagesToVerify;
      const detail = { images: [selfie, documentFront] };
      await audit({ tenant, owner, actor: 'face-verifier', action: 'images_sent', detail });
      return faceVerifier.verify(pair);
    };
    return verify().catch(handleFinalError(logger, imagesToVerify.transactionId));
  };
}
