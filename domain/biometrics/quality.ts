import { type Biometrics, type Capture, type CaptureKind, captureKinds } from './biometrics';

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
