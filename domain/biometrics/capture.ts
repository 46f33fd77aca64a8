import { type Decided, type DomainError, createDomainError } from '../domain-error';
import type { TransactionState } from '../state';
import { type Biometrics, type Capture, type CaptureKind, captureKinds, isOpenLink } from './biometrics';
import { type ChangedLink, currentLink, expireLink, withLink } from './link';

/** What a browser does on the page of a link. */
export type PageAction =
  | { action: 'open' }
  | { action: 'consent' }
  | { action: 'capture'; kind: CaptureKind; capture: Omit<Capture, 'at' | 'replaces'> }
  | { action: 'submit' };

/** The kinds of images that the person has not taken yet. */
export function missingCaptures({ captures }: Biometrics): CaptureKind[] {
  return captureKinds.filter((kind) => captures[kind] === undefined);
}

/**
 * How many images one link can have at most, including retakes: ten for each of the three kinds. Each image costs storage and an entry in
 * the history.
 */
const capturesPerLink = 30;

function addCapture(link: Biometrics, { kind, capture }: Extract<PageAction, { action: 'capture' }>, now: string) {
  // The page sends a capture again if it got no response.
  if (link.captures[kind]?.imageId === capture.imageId) return link;
  if (link.taken >= capturesPerLink) return createDomainError('CaptureLimitReached', 'Too many images were taken.');
  const replacedImageId = link.captures[kind]?.imageId;
  const newCapture: Capture = {
    ...capture,
    at: now,
    ...(replacedImageId === undefined ? {} : { replaces: replacedImageId }),
  };
  return { ...link, taken: link.taken + 1, captures: { ...link.captures, [kind]: newCapture } };
}

function applyActionToLink(link: Biometrics, action: PageAction, owner: string, now: string): Biometrics | DomainError {
  if (action.action === 'open') return link.openedAt ? link : { ...link, owner, openedAt: now, status: 'InProgress' };
  if (action.action === 'consent') return link.consentedAt ? link : { ...link, consentedAt: now };
  if (!link.consentedAt) return createDomainError('ConsentMissing', 'The person has not consented yet.');
  if (action.action === 'capture') return addCapture(link, action, now);
  const missing = missingCaptures(link);
  if (missing.length > 0)
    return createDomainError('CapturesMissing', `Not taken yet: ${missing.join(', ')}.`, { missing });
  return { ...link, status: 'Processing', submittedAt: now };
}

/**
 * Applies an action on the page. `owner`: keyed digest of the secret of the browser that sends the action. The first browser that opens a
 * link owns the link. Other browsers get the error LinkTaken. If the link is closed, the error is LinkClosed, with the status of the link.
 * A repeated open, consent or submit changes nothing.
 */
export function applyPageAction(
  storedState: TransactionState,
  biometricsId: string,
  action: PageAction,
  owner: string,
  now: string,
): Decided<ChangedLink> {
  const state = expireLink(storedState, now);
  const link = (state.biometrics ?? []).find(({ id }) => id === biometricsId);
  if (!link) return { error: createDomainError('BiometricsNotFound', 'There is no such link.') };
  if (link.owner !== undefined && link.owner !== owner)
    return { error: createDomainError('LinkTaken', 'The link was opened in another browser.') };
  const repeated = action.action === 'submit' && link.status === 'Processing';
  if (repeated) return { state, biometrics: link };
  if (!isOpenLink(link))
    return { error: createDomainError('LinkClosed', `The link is ${link.status}.`, { about: statusOf(link) }) };
  if (action.action !== 'open' && link.owner === undefined)
    return { error: createDomainError('LinkTaken', 'The link was not started in this browser.') };
  const next = applyActionToLink(link, action, owner, now);
  if ('type' in next) return { error: next };
  return { state: next === link ? state : withLink(state, next), biometrics: next };
}

const statusOf = ({ status, createdAt }: Biometrics) => ({ status, createdAt });

/**
 * The newest submitted link whose images were not erased on request. Its images may be missing nevertheless: the service erases them after
 * `imageDays` days, and the state does not show this.
 */
export function linkWithImages({ biometrics = [] }: TransactionState): Biometrics | undefined {
  return biometrics.findLast((link) => link.submittedAt !== undefined && missingCaptures(link).length === 0);
}

/** The link that waits for a reviewer. */
export function linkInReview(state: TransactionState): Biometrics | undefined {
  const link = currentLink(state);
  return link?.status === 'Processing' ? link : undefined;
}
