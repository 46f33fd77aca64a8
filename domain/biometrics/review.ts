import { addMs } from '../transactions/limits';
import { createDomainError, type Decided } from '../domain-error';
import { applyDecision } from '../transactions/outcome';
import type { TransactionState } from '../transactions/state';
import type { Biometrics, Decision, FaceFindings } from './biometrics';
import { linkInReview } from './capture';
import { type ChangedLink, expireLink, withLink } from './link';

/** How long after the submission of images the face verifier may be asked. Later findings are too late: the reviewer decides without them. */
const faceVerificationMs = 60 * 60_000;

/** When the face verification of a link in review ends, with or without findings. ISO 8601. Undefined if the link needs none, or if it ended. */
export const faceVerificationEndsAt = ({ facePolicy, submittedAt, verifiedAt }: Biometrics): string | undefined =>
  facePolicy === undefined || submittedAt === undefined || verifiedAt !== undefined
    ? undefined
    : addMs(submittedAt, faceVerificationMs);

/** Saves the findings of the face verifier. `faces`: null if there are no findings. A link with a decision does not change. */
export function withFaceFindings(
  state: TransactionState,
  biometricsId: string,
  faces: FaceFindings | null,
  now: string,
): TransactionState {
  const link = linkInReview(state);
  if (link?.id !== biometricsId) return state;
  return withLink(state, { ...link, verifiedAt: now, ...(faces ? { faces } : {}) });
}

/** Saves a decision, and appends a score with the reason `BiometricsChecked`. The error is NotInReview if no images wait for a decision. */
export function decideOnImages(
  state: TransactionState,
  biometricsId: string,
  decision: Decision,
): Decided<ChangedLink> {
  const link = linkInReview(state);
  if (link?.id !== biometricsId) return { error: createDomainError('NotInReview', 'No images wait for a decision.') };
  const decided: Biometrics = { ...link, status: decision.status, decision };
  return { state: applyDecision(withLink(state, decided), decision), biometrics: decided };
}

const undecidedStatuses: readonly Biometrics['status'][] = ['Waiting', 'InProgress', 'Processing'];

/**
 * Removes all images and face findings. Open links and links in review are canceled. Decisions stay. Undefined if the transaction
 * has no link.
 */
export function withoutImages(storedState: TransactionState, now: string): TransactionState | undefined {
  const state = expireLink(storedState, now);
  const biometrics = state.biometrics?.map((link) => {
    const status = undecidedStatuses.includes(link.status) ? 'Canceled' : link.status;
    const erasedLink: Biometrics = { ...link, status, captures: {}, erasedAt: link.erasedAt ?? now };
    delete erasedLink.faces;
    return erasedLink;
  });
  return biometrics && { ...state, biometrics };
}
