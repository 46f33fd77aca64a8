import type { AuditEntry } from '../../platform/audit';
import { BrokenSealError } from '../../platform/keys/seal';
import type { SealedImages } from '../../images/sealed-images';
import type { Logger } from '../../platform/logger';
import type { Activities, ImagesToVerify } from '../../workflows/contract/activities';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import { z } from 'zod';
import type { WorkerConfig } from '../../platform/config';
import { type FindingsProvider, type MissingAnswer, requestFindings } from '../http-requests';

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

/** What leaves the service: two JPEG images of one person, without any other data. */
export interface FacePair {
  selfie: Buffer;
  documentFront: Buffer;
}

/** Compares the faces of a selfie and a document, and checks that the selfie shows a living person. */
export interface FaceVerifier {
  /** Throws FaceVerifierError if the verifier gives no usable answer. Throws CancelledFailure if the activity is canceled. */
  verify(images: FacePair): Promise<FaceFindings>;
}

/** Reasons after which a retry may help. `busy`: the status 429. `failing`: a status 5xx. */
export type UnavailableReason = Extract<MissingAnswer, 'timeout' | 'unreachable'> | 'busy' | 'failing';
/** Reasons after which a retry does not help. `refused`: a status 4xx except 429. `redirect`: a status 3xx. */
export type RejectionReason = Extract<MissingAnswer, 'invalid' | 'size'> | 'refused' | 'redirect';

const unavailableReasons: readonly string[] = [
  'timeout',
  'unreachable',
  'busy',
  'failing',
] satisfies UnavailableReason[];

/**
 * The verifier gave no usable answer. The error has only `reason`, and no text from the verifier. Faces are biometric data, so what a
 * verifier writes about them must not get into logs and histories.
 */
export class FaceVerifierError extends Error {
  override name = 'FaceVerifierError';

  constructor(readonly reason: UnavailableReason | RejectionReason) {
    super(`The face verifier gave no findings: ${reason}.`);
  }

  /** Whether a retry may help. */
  get isUnavailable(): boolean {
    return unavailableReasons.includes(this.reason);
  }
}

/** Maximum number of notes: a reviewer would not read more. A response with more notes is invalid. */
const notesMax = 20;

const ratioSchema = z.number().min(0).max(1).exactOptional();
const countSchema = z.int().min(0).exactOptional();

const responseSchema = z.object({
  similarity: ratioSchema,
  liveness: ratioSchema,
  selfieFaces: countSchema,
  documentFaces: countSchema,
  /** Each note is a code and no free text, because the notes are stored with the transaction and shown to reviewers. */
  notes: z
    .array(z.string().regex(/^[A-Za-z0-9_.:-]{1,60}$/))
    .max(notesMax)
    .default([]),
});

/** The names of the form's parts and files are always the same, so they carry no personal data. */
function formOf({ selfie, documentFront }: FacePair): FormData {
  const form = new FormData();
  for (const [part, jpeg] of Object.entries({ selfie, documentFront }))
    form.set(part, new Blob([jpeg], { type: 'image/jpeg' }), `${part}.jpg`);
  return form;
}

/** Why a response with this HTTP status, which is not 200, has no findings. */
function reasonOf(status: number): UnavailableReason | RejectionReason {
  if (status === 429) return 'busy';
  if (status >= 500) return 'failing';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirect' : 'invalid';
}

/**
 * A face verifier over HTTP: POST of multipart/form-data with the JPEGs `selfie` and `documentFront`. Expects 200 and
 * {similarity?, liveness?, selfieFaces?, documentFaces?, notes?}. Makes one request and never retries.
 */
export function createHttpFaceVerifier(settings: FindingsProvider): FaceVerifier {
  return {
    verify: async (images) => {
      const result = await requestFindings(settings, formOf(images), responseSchema);
      if ('answer' in result) return result.answer;
      throw new FaceVerifierError(result.failure === 'status' ? reasonOf(result.status) : result.failure);
    },
  };
}

/** Creates the face verifier that the settings define. Without a face verifier, reviewers decide alone. */
export function openFaceVerifier(
  config: Pick<WorkerConfig, 'FACE_VERIFIER_URL' | 'FACE_VERIFIER_TOKEN' | 'FACE_VERIFIER_TIMEOUT_MS'>,
  logger: Logger,
): { faceVerifier?: FaceVerifier } {
  const { FACE_VERIFIER_URL: url, FACE_VERIFIER_TOKEN: token, FACE_VERIFIER_TIMEOUT_MS: timeoutMs } = config;
  if (!url) {
    logger.info('no face verifier is configured; reviewers decide without its findings');
    return {};
  }
  return { faceVerifier: createHttpFaceVerifier({ url, timeoutMs, ...(token ? { token } : {}) }) };
}
