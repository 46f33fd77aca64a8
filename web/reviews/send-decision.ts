import { currentAccess } from '../app/access';
import type { AppTexts } from '../app/texts/texts';
import { ApiProblem, callApi } from '../app/call-api';
import { newIdempotencyKey } from '../app/idempotency-key';
import { Unreachable } from '../app/request';
import type { DecisionStatus } from './review-types';
import type { ReviewTexts } from './texts/texts';

/** The minimum and the maximum length of a reason. The API has the same limits. */
const reasonCharsMin = 3;
export const reasonCharsMax = 500;

/** A decision that is not saved yet. It survives a change of the view, but not a reload. */
export interface Draft {
  /** The choice of the reviewer. */
  status?: DecisionStatus;
  reason: string;
  /** The last request with this decision, if there was one. `key`: its Idempotency-Key. `identity`: the reviewer and the decision. */
  lastRequest?: { identity: string; key: string };
}

const drafts = new Map<string, Draft>();

/** The draft of a review. If there is none, creates an empty draft. */
export function draftOf(reviewId: string): Draft {
  const draft = drafts.get(reviewId) ?? { reason: '' };
  drafts.set(reviewId, draft);
  return draft;
}

/** The Idempotency-Key of a decision. If the choice, the reason or the reviewer has changed, this is a new key. */
function idempotencyKeyOf(draft: Draft, body: object): string {
  const identity = JSON.stringify([currentAccess.get()?.name, body]);
  if (draft.lastRequest?.identity !== identity) draft.lastRequest = { identity, key: newIdempotencyKey() };
  return draft.lastRequest.key;
}

/** Sends a complete draft. Resolves to the status of the decision. On an error, rejects like callApi and keeps the draft. */
export async function sendDecision(reviewId: string, draft: Draft): Promise<DecisionStatus> {
  if (!draft.status) throw new Error('The draft has no decision.');
  const body = { status: draft.status, reason: draft.reason.trim() };
  const { status } = await callApi('post', '/v1/reviews/{reviewId}/decision', {
    path: { reviewId },
    headers: { 'Idempotency-Key': idempotencyKeyOf(draft, body) },
    body,
  });
  drafts.delete(reviewId);
  return status;
}

export interface DraftIssue {
  field: 'status' | 'reason';
  text: string;
}

/** The first issue of a draft. Undefined if the draft is complete. */
export function firstIssueOf({ status, reason }: Draft, { issues }: ReviewTexts['decision']): DraftIssue | undefined {
  const { length } = reason.trim();
  if (!status) return { field: 'status', text: issues.status };
  if (length === 0) return { field: 'reason', text: issues.reason };
  if (length < reasonCharsMin) return { field: 'reason', text: issues.short(reasonCharsMin) };
  if (length > reasonCharsMax) return { field: 'reason', text: issues.long(length, reasonCharsMax) };
  return undefined;
}

/** The text of an error. Undefined if the form does not show the error. */
export function errorTextOf(
  error: unknown,
  { issues }: ReviewTexts['decision'],
  { traceId }: AppTexts,
): string | undefined {
  if (error instanceof Unreachable) return issues.unreachable;
  if (!(error instanceof ApiProblem)) return undefined;
  const { code, fields } = error;
  if (code === 'not_in_review' || code === 'review_not_found') return undefined;
  if (code === 'signed_out') return issues.signedOut;
  if (code === 'validation_failed') {
    const found = Object.entries(fields.errors ?? {}).map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`);
    return issues.invalid(found.join('; ') || (fields.detail ?? ''));
  }
  return [fields.title ?? issues.notSaved, fields.detail, fields.traceId && traceId(fields.traceId)]
    .filter(Boolean)
    .join(' ');
}
