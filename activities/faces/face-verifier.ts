import type { FaceFindings } from '../../domain/biometrics/biometrics';

/** What leaves the service: two JPEG images of one person, without any other data. */
export interface FacePair {
  selfie: Buffer;
  documentFront: Buffer;
}

/** Compares the faces of a selfie and a document, and checks that the selfie shows a living person. */
export interface FaceVerifier {
  /** Throws FaceVerifierError if the verifier gives no usable answer. */
  verify(images: FacePair): Promise<FaceFindings>;
}

/**
 * Reasons after which a retry may help. `timeout`: no complete response in time. `unreachable`: no connection, or an interrupted
 * connection. `busy`: the status 429. `failing`: a status 5xx.
 */
export type UnavailableReason = 'timeout' | 'unreachable' | 'busy' | 'failing';
/**
 * Reasons after which a retry does not help. `refused`: a status 4xx except 429. `redirect`: a status 3xx. `invalid`: an invalid response.
 * `size`: a response that is too long.
 */
export type RejectionReason = 'refused' | 'redirect' | 'invalid' | 'size';

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
