import { callApi, ApiError, signedIn } from '../../pages/browser/call-api.mjs';
import { Unreachable } from '../../pages/browser/request.mjs';

/** As the API takes them. */
const reasonCharsLeast = 3;
export const reasonCharsMost = 500;

/** What was chosen and typed, by review: it survives a look at the list, and is forgotten with the page. */
const drafts = new Map();

export function draftOf(id) {
  const draft = drafts.get(id) ?? { status: '', reason: '' };
  drafts.set(id, draft);
  return draft;
}

/**
 * One key for one decision: repeated after a broken connection, it is made once. Another choice, reason or reviewer is
 * another decision.
 */
function keyFor(draft, body) {
  const said = JSON.stringify([signedIn(), body]);
  if (draft.sent?.said !== said) draft.sent = { said, key: crypto.randomUUID() };
  return draft.sent.key;
}

/** Sends a draft that misses nothing. Resolves to the API's answer; throws as `ask` does, and keeps the draft then. */
export async function sendDecision(id, draft) {
  const body = { status: draft.status, reason: draft.reason.trim() };
  const headers = { 'Idempotency-Key': keyFor(draft, body) };
  const made = await callApi(`/v1/reviews/${encodeURIComponent(id)}/decision`, { method: 'POST', headers, body });
  drafts.delete(id);
  return made;
}

/** What a draft still misses, as [field, what to say]; nothing when it can be sent. */
export function missingIn({ status, reason }) {
  if (!status) return ['status', 'Choose a decision first.'];
  const { length } = reason.trim();
  if (length === 0) return ['reason', 'Give a short reason. It is saved with the decision.'];
  if (length < reasonCharsLeast) return ['reason', `The reason needs at least ${reasonCharsLeast} characters.`];
  if (length > reasonCharsMost)
    return ['reason', `The reason has ${length} characters; at most ${reasonCharsMost} fit.`];
  return [];
}

/** What to say when a decision could not be sent; undefined when it is not this form's matter. */
export function errorTextOf(error) {
  if (error instanceof Unreachable)
    return 'No answer came, so it is not known whether the decision arrived. Press again: it will be made only once.';
  if (!(error instanceof ApiError)) return undefined;
  const { code, title, detail, errors, traceId } = error;
  if (code === 'not_in_review' || code === 'review_not_found') return undefined;
  if (code === 'signed_out') return 'You had been signed out. Press again to decide.';
  if (code === 'validation_failed') {
    const told = Object.entries(errors).map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`);
    return `The decision was not accepted: ${told.join('; ') || detail}`;
  }
  return [title || 'The decision could not be made.', detail, traceId && `Trace id: ${traceId}`]
    .filter(Boolean)
    .join(' ');
}
