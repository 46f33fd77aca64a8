import { callApi, ApiError, signedInName } from '../../pages/browser/call-api.mjs';
import { Unreachable } from '../../pages/browser/request.mjs';

/** The limits of the API. */
const reasonCharsMin = 3;
export const reasonCharsMax = 500;

/** Drafts by review: they survive a change of the view, but not a reload. */
const drafts = new Map();

export function draftOf(id) {
  const draft = drafts.get(id) ?? { status: '', reason: '' };
  drafts.set(id, draft);
  return draft;
}

/** The Idempotency-Key of a decision. Another choice, reason or reviewer is another decision. */
function idempotencyKeyOf(draft, body) {
  const identity = JSON.stringify([signedInName(), body]);
  if (draft.lastRequest?.identity !== identity) draft.lastRequest = { identity, key: crypto.randomUUID() };
  return draft.lastRequest.key;
}

/** Sends a complete draft. Resolves to the response. Throws like callApi, and keeps the draft. */
export async function sendDecision(id, draft) {
  const body = { status: draft.status, reason: draft.reason.trim() };
  const headers = { 'Idempotency-Key': idempotencyKeyOf(draft, body) };
  const response = await callApi(`/v1/reviews/${encodeURIComponent(id)}/decision`, { method: 'POST', headers, body });
  drafts.delete(id);
  return response;
}

/** The first issue of a draft, as [field, text]; empty if it is complete. */
export function firstIssueOf({ status, reason }) {
  if (!status) return ['status', 'Choose a decision first.'];
  const { length } = reason.trim();
  if (length === 0) return ['reason', 'Write a short reason. It is saved with the decision.'];
  if (length < reasonCharsMin) return ['reason', `The reason needs at least ${reasonCharsMin} characters.`];
  if (length > reasonCharsMax)
    return ['reason', `The reason has ${length} characters; at most ${reasonCharsMax} are allowed.`];
  return [];
}

/** The text of an error; undefined if the form does not show it. */
export function errorTextOf(error) {
  if (error instanceof Unreachable)
    return 'The service did not respond, so the decision may not have arrived. Press the button again: the decision is saved only once.';
  if (!(error instanceof ApiError)) return undefined;
  const { code, title, detail, errors, traceId } = error;
  if (code === 'not_in_review' || code === 'review_not_found') return undefined;
  if (code === 'signed_out')
    return 'You were signed out, and the decision was not saved. Press the button again to decide.';
  if (code === 'validation_failed') {
    const issues = Object.entries(errors).map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`);
    return `The decision was not accepted: ${issues.join('; ') || detail}`;
  }
  return [title || 'The decision could not be saved.', detail, traceId && `Trace id: ${traceId}`]
    .filter(Boolean)
    .join(' ');
}
