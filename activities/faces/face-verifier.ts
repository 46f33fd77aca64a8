import type { FaceFindings } from '../../domain/biometrics/biometrics';

/** What leaves the service: two JPEG images of one person, without any other data. */
export interface FacePair {
  selfie: Buffer;
  documentFront: Buffer;
}

/** Compares the faces of a selfie and a document, and checks that the selfie shows a living person. */
export interface FaceVerifier {
  /** Throws FaceVerifierError if there are no findings. */
  verify(images: FacePair): Promise<FaceFindings>;
}

/** A retry may help. `unreachable`: no connection, or an interrupted one. `busy`: 429. `failing`: a server error (5xx). */
export type UnavailableReason = 'timeout' | 'unreachable' | 'busy' | 'failing';
/** A retry does not help. `refused`: a 4xx except 429. `invalid`: an invalid response. `size`: a response that is too long. */
export type RejectionReason = 'refused' | 'redirect' | 'invalid' | 'size';

const unavailableReasons: readonly string[] = [
  'timeout',
  'unreachable',
  'busy',
  'failing',
] satisfies UnavailableReason[];

/**
 * Why there are no findings, in one word. It has no cause and no other text. Faces are biometric data, so what a verifier writes
 * about them must not get into logs and histories.
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
