import { createDomainError, type Decided } from '../domain-error';
import { askError } from '../flows/runs';
import type { TransactionState } from '../transactions/state';
import type { Biometrics, BiometricsProposal, Decision } from './biometrics';
import { applyAction, type PageAction } from './capture';
import { type ChangedLink, createLink } from './link';
import { decideOnImages, withoutImages } from './review';

/** What the person does on the hosted page of a link. `owner` is the keyed digest of a secret that only the person's browser has. */
export type LinkAction = PageAction & { biometricsId: string; owner: string };

/** The decision on the images of one link. */
export interface BiometricsDecision extends Omit<Decision, 'at'> {
  biometricsId: string;
}

/**
 * Decides on the request of a caller for a link. `existing`: a repeat with the same idempotency key proposes the same id. If the first answer
 * is no longer remembered, the repeat gets the link of the first request.
 */
export function decideOnLink(
  state: TransactionState,
  proposal: BiometricsProposal,
  at: string,
): Decided<{ existing: Biometrics } | ChangedLink> {
  const existing = state.biometrics?.find(({ id }) => id === proposal.biometricsId);
  if (existing) return { existing };
  const error = askError(state, 'biometrics');
  return error ? { error } : createLink(state, proposal, at);
}

/** Decides on what the person does on the hosted page. */
export const decideOnAction = (
  state: TransactionState,
  { biometricsId, owner, ...action }: LinkAction,
  at: string,
): Decided<ChangedLink> => applyAction(state, biometricsId, action, owner, at);

/** Decides on the decision of a reviewer. */
export const decideOnReview = (
  state: TransactionState,
  { biometricsId, ...decision }: BiometricsDecision,
  at: string,
): Decided<ChangedLink> => decideOnImages(state, biometricsId, { ...decision, at });

/** Decides on the erasure of all images. */
export function decideOnErasure(
  state: TransactionState,
  _request: unknown,
  at: string,
): Decided<{ state: TransactionState }> {
  const next = withoutImages(state, at);
  return next
    ? { state: next }
    : { error: createDomainError('BiometricsNotFound', 'The transaction has no biometrics link.') };
}
