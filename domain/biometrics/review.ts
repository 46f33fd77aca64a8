import { type DomainError, createDomainError } from '../domain-error';
import { applyDecision } from '../outcome';
import type { TransactionState } from '../state';
import type { Biometrics, Decision, FaceFindings } from './biometrics';
import { reviewedLink } from './capture';
import { expireLink, withLink } from './link';

export type ReviewResult = { error: DomainError } | { state: TransactionState; biometrics: Biometrics };

/** Saves the face verifier's findings; null: it found nothing. A link that is decided already does not change. */
export function withFaces(
  state: TransactionState,
  biometricsId: string,
  faces: FaceFindings | null,
  now: string,
): TransactionState {
  const link = reviewedLink(state);
  if (link?.id !== biometricsId) return state;
  return withLink(state, { ...link, verifiedAt: now, ...(faces ? { faces } : {}) });
}

/** Decides on the images and appends the score `BiometricsChecked`. NotInReview when no images wait for a decision. */
export function decide(state: TransactionState, biometricsId: string, decision: Decision): ReviewResult {
  const link = reviewedLink(state);
  if (link?.id !== biometricsId) return { error: createDomainError('NotInReview', 'No images wait for a decision.') };
  const decided: Biometrics = { ...link, status: decision.status, decision };
  return { state: applyDecision(withLink(state, decided), decision), biometrics: decided };
}

const undecided: readonly Biometrics['status'][] = ['Waiting', 'InProgress', 'Processing'];

/** Removes all images and findings. Open links are canceled, decisions stay. Undefined when there is no link. */
export function withoutImages(stored: TransactionState, now: string): TransactionState | undefined {
  const state = expireLink(stored, now);
  const biometrics = state.biometrics?.map((link) => {
    const status = undecided.includes(link.status) ? 'Canceled' : link.status;
    const without: Biometrics = { ...link, status, captures: {}, erasedAt: link.erasedAt ?? now };
    delete without.faces;
    return without;
  });
  return biometrics && { ...state, biometrics };
}
