import type { FaceFindings } from '../../domain/biometrics/biometrics';

/** What leaves the house: two images of one person, each a JPEG, and no word on whose they are. */
export interface FacePair {
  selfie: Buffer;
  documentFront: Buffer;
}

/** Compares the face of a selfie with that of a document, and tells whether the selfie is of a living person. */
export interface FaceVerifier {
  /** Throws FaceVerifierError when there are no findings. */
  verify(images: FacePair): Promise<FaceFindings>;
}

/** It may answer another time: too late, not reached or cut off, asked too much, or failing by its own account. */
export type UnavailableReason = 'timeout' | 'unreachable' | 'busy' | 'failing';
/** It will not answer these images otherwise: refused, sent elsewhere, or answered in another form or at length. */
export type RejectionReason = 'refused' | 'redirect' | 'form' | 'size';

const unavailableReasons: readonly string[] = [
  'timeout',
  'unreachable',
  'busy',
  'failing',
] satisfies UnavailableReason[];

/**
 * Why there are no findings, in one word. It has no cause and no other text: faces are biometric data, and what a
 * verifier or the network wrote of them stays out of logs and histories.
 */
export class FaceVerifierError extends Error {
  override name = 'FaceVerifierError';

  constructor(readonly fault: UnavailableReason | RejectionReason) {
    super(`The face verifier gave no findings: ${fault}.`);
  }

  /** Whether asking again may help. */
  get isUnavailable(): boolean {
    return unavailableReasons.includes(this.fault);
  }
}
