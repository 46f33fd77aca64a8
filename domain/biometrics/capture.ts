import { createDomainError, type Decided, type DomainError } from '../domain-error';
import type { TransactionState } from '../transactions/state';
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
export function applyAction(
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

type ImageMeasurements = Pick<Capture, 'width' | 'height' | 'sharpness' | 'brightness'>;

/**
 * Limits of an image: the short edge in pixels, the brightness as mean grey from 0 to 255, and the sharpness as the variance of the
 * Laplacian (a filter for edges: a blurred image has a low value).
 */
interface ImageBounds {
  shortEdgeMin: number;
  brightnessMin: number;
  brightnessMax: number;
  sharpnessMin: number;
}

/**
 * Limits of a good image, the same as on the hosted page. If the short edge has at least 640 pixels, the small print of a card is readable.
 * Ordinary images have a mean grey of 70 to 190. Blurred images have a sharpness below 30.
 */
export const goodImageBounds: ImageBounds = {
  shortEdgeMin: 640,
  brightnessMin: 45,
  brightnessMax: 225,
  sharpnessMin: 30,
};

/**
 * Limits of an image that can be used at all. If the short edge has 320 pixels, the face on a card is about 50 pixels wide. A covered
 * lens gives a mean grey of 5. Above a mean grey of 248, the print of a card is not visible. Below a sharpness of 2, an image is one
 * colour or completely blurred.
 */
const usableImageBounds: ImageBounds = { shortEdgeMin: 320, brightnessMin: 8, brightnessMax: 248, sharpnessMin: 2 };

const qualityCodes = ['small', 'dark', 'bright', 'blurred'] as const;
const faceCodes = ['no_face', 'several_faces', 'low_similarity', 'low_liveness'] as const;
/** Finding codes: image quality first, then faces. */
export const imageFindingCodes = [...qualityCodes, ...faceCodes] as const;

export type QualityCode = (typeof qualityCodes)[number];
export type ImageFindingCode = (typeof imageFindingCodes)[number];

/** A quality issue of an image, or a face finding. */
export interface ImageFinding {
  capture: CaptureKind;
  code: ImageFindingCode;
}

/**
 * The issues of an image, the most serious first. `dark` comes before `blurred`, because a dark image is always blurred too. A measurement
 * that is NaN fails every limit.
 */
function qualityIssuesOf(
  { width, height, sharpness, brightness }: ImageMeasurements,
  bounds: ImageBounds,
): QualityCode[] {
  const passed: Record<QualityCode, boolean> = {
    small: Math.min(width, height) >= bounds.shortEdgeMin,
    dark: brightness >= bounds.brightnessMin,
    bright: brightness <= bounds.brightnessMax,
    blurred: sharpness >= bounds.sharpnessMin,
  };
  return (Object.keys(passed) as QualityCode[]).filter((code) => !passed[code]);
}

/** The reason in the answer to a rejected upload, by quality code. */
const rejectionReasons = { small: 'too_small', dark: 'too_dark', bright: 'too_bright', blurred: 'blurred' } as const;

/**
 * Why an upload is rejected. Undefined if the upload is accepted. Only images that cannot be used are rejected. Poor images are accepted,
 * so that a person with a poor camera can finish. The reviewer sees the issues of a poor image.
 */
export function rejectionReason(measurements: ImageMeasurements): (typeof rejectionReasons)[QualityCode] | undefined {
  const [mostSerious] = qualityIssuesOf(measurements, usableImageBounds);
  return mostSerious && rejectionReasons[mostSerious];
}

/** Used when the tenant has no approval thresholds. 0.5 is the middle of both scales. */
const defaultThresholds = { similarity: 0.5, liveness: 0.5 };

/** Whether a value is at least `min`. False if the verifier did not check the value. */
const reaches = (value: number | undefined, min: number) => (value ?? Number.NaN) >= min;

function faceCountFindings(capture: CaptureKind, faces: number | undefined): ImageFinding[] {
  if (faces === undefined || faces === 1) return [];
  return [{ capture, code: faces === 0 ? 'no_face' : 'several_faces' }];
}

function faceFindings({ faces, facePolicy }: Pick<Biometrics, 'faces' | 'facePolicy'>): ImageFinding[] {
  if (!faces) return [];
  const { similarity, liveness, selfieFaces, documentFaces } = faces;
  const thresholds = facePolicy?.approve ?? defaultThresholds;
  const lowValueFinding = (value: number | undefined, bound: number, code: ImageFindingCode): ImageFinding[] =>
    value === undefined || reaches(value, bound) ? [] : [{ capture: 'selfie', code }];
  return [
    ...faceCountFindings('documentFront', documentFaces),
    ...faceCountFindings('selfie', selfieFaces),
    ...lowValueFinding(similarity, thresholds.similarity, 'low_similarity'),
    ...lowValueFinding(liveness, thresholds.liveness, 'low_liveness'),
  ];
}

/**
 * The findings for the reviewer: quality issues, a wrong number of faces, and a low similarity or liveness. Low means below the
 * tenant's approval threshold, or below 0.5 if the tenant has none. A value that the verifier did not check gives no finding.
 */
export function imageFindingsOf(link: Pick<Biometrics, 'captures' | 'faces' | 'facePolicy'>): ImageFinding[] {
  const qualityFindings = captureKinds.flatMap((capture) => {
    const image = link.captures[capture];
    return image ? qualityIssuesOf(image, goodImageBounds).map((code) => ({ capture, code })) : [];
  });
  return [...qualityFindings, ...faceFindings(link)];
}

/**
 * Whether the tenant's policy approves without a reviewer. This needs three images, with exactly one face on the selfie and one on the
 * document. Similarity and liveness must reach their thresholds, and there must be no finding. If the verifier did not count faces, the
 * policy never approves: a stranger could hold a portrait of the person beside the stranger's face, and reach both thresholds.
 */
export function isApprovedByPolicy(link: Pick<Biometrics, 'captures' | 'faces' | 'facePolicy'>): boolean {
  const { captures, faces, facePolicy: { approve } = {} } = link;
  if (!approve || !faces || !captureKinds.every((kind) => captures[kind])) return false;
  const passes = reaches(faces.similarity, approve.similarity) && reaches(faces.liveness, approve.liveness);
  return passes && faces.selfieFaces === 1 && faces.documentFaces === 1 && imageFindingsOf(link).length === 0;
}
