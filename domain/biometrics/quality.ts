import { type Biometrics, type Capture, type CaptureKind, captureKinds } from './biometrics';

type Measures = Pick<Capture, 'width' | 'height' | 'sharpness' | 'brightness'>;

/** Bounds of an image: pixels, mean grey from 0 to 255, and variance of the Laplacian. */
interface ImageBounds {
  shortEdgeLeast: number;
  brightnessLeast: number;
  brightnessMost: number;
  sharpnessLeast: number;
}

/**
 * What a good image reaches. The same numbers as on the person's page, so that a reviewer is told of nothing that its
 * hints let pass: the small print of a card can be read from 640 pixels on, ordinary pictures have a mean grey of 70 to
 * 190, and moved ones a sharpness below 30.
 */
export const goodImage: ImageBounds = {
  shortEdgeLeast: 640,
  brightnessLeast: 45,
  brightnessMost: 225,
  sharpnessLeast: 30,
};

/**
 * What an image reaches that shows anything at all. Below 320 pixels the face on a card has some fifty across; a covered
 * lens gives a grey of 5, and above 248 the print of a card is gone; what is below a sharpness of 2 is one colour, or
 * blurred until only traces of compression are left.
 */
const seenImage: ImageBounds = { shortEdgeLeast: 320, brightnessLeast: 8, brightnessMost: 248, sharpnessLeast: 2 };

const qualityCodes = ['small', 'dark', 'bright', 'blurred'] as const;
const faceCodes = ['no_face', 'several_faces', 'low_similarity', 'low_liveness'] as const;
/** Codes of findings: on the quality of an image, then on its faces. */
export const findingCodes = [...qualityCodes, ...faceCodes] as const;

export type QualityCode = (typeof qualityCodes)[number];
export type FindingCode = (typeof findingCodes)[number];

/** What speaks against an image. */
export interface Finding {
  capture: CaptureKind;
  code: FindingCode;
}

/** The weightiest first: without light nothing is sharp. What is no number reaches no bound. */
function qualityIssuesOf({ width, height, sharpness, brightness }: Measures, bounds: ImageBounds): QualityCode[] {
  const reached: Record<QualityCode, boolean> = {
    small: Math.min(width, height) >= bounds.shortEdgeLeast,
    dark: brightness >= bounds.brightnessLeast,
    bright: brightness <= bounds.brightnessMost,
    blurred: sharpness >= bounds.sharpnessLeast,
  };
  return (Object.keys(reached) as QualityCode[]).filter((code) => !reached[code]);
}

const rejectionReasons = { small: 'too_small', dark: 'too_dark', bright: 'too_bright', blurred: 'blurred' } as const;

/**
 * Why an upload is refused: only what can show nothing at all is. What is merely poor is left to the reviewer, because
 * the page lets a person send it anyway, and a person with a poor camera is not to be locked out by a number.
 */
export function rejectionReason(measures: Measures): (typeof rejectionReasons)[QualityCode] | undefined {
  const [weightiest] = qualityIssuesOf(measures, seenImage);
  return weightiest && rejectionReasons[weightiest];
}

/** Below the middle of its own scale a verifier rather says no. What a tenant approves by stands in the place of these. */
const doubtful = { similarity: 0.5, liveness: 0.5 };

/** What was not looked for reaches nothing. */
const reaches = (value: number | undefined, least: number) => (value ?? Number.NaN) >= least;

function countedFaces(capture: CaptureKind, faces: number | undefined): Finding[] {
  if (faces === undefined || faces === 1) return [];
  return [{ capture, code: faces === 0 ? 'no_face' : 'several_faces' }];
}

function faceFindings({ faces, facePolicy }: Pick<Biometrics, 'faces' | 'facePolicy'>): Finding[] {
  if (!faces) return [];
  const { similarity, liveness, selfieFaces, documentFaces } = faces;
  const least = facePolicy?.approve ?? doubtful;
  const low = (value: number | undefined, bound: number, code: FindingCode): Finding[] =>
    value === undefined || reaches(value, bound) ? [] : [{ capture: 'selfie', code }];
  return [
    ...countedFaces('documentFront', documentFaces),
    ...countedFaces('selfie', selfieFaces),
    ...low(similarity, least.similarity, 'low_similarity'),
    ...low(liveness, least.liveness, 'low_liveness'),
  ];
}

/**
 * What a reviewer is told of the images, each fault of quality and each doubt of the face verifier. Likeness and
 * liveness are low below the tenant's thresholds of approval, or below 0.5 where nothing is approved by policy. What the
 * verifier did not look for is no finding.
 */
export function findingsOf(link: Pick<Biometrics, 'captures' | 'faces' | 'facePolicy'>): Finding[] {
  const poor = captureKinds.flatMap((capture) => {
    const taken = link.captures[capture];
    return taken ? qualityIssuesOf(taken, goodImage).map((code) => ({ capture, code })) : [];
  });
  return [...poor, ...faceFindings(link)];
}

/**
 * Whether the tenant's policy approves without a reviewer. Everything has to be known: three images, likeness and
 * liveness that reach their thresholds, and exactly one face on selfie and document. Faces that nobody counted do not do:
 * beside a living stranger, the portrait of another person could give the likeness, and the stranger the liveness. A
 * verifier that does not count faces leaves every decision to a reviewer.
 */
export function isApprovedByPolicy(link: Pick<Biometrics, 'captures' | 'faces' | 'facePolicy'>): boolean {
  const { captures, faces, facePolicy: { approve } = {} } = link;
  if (!approve || !faces || !captureKinds.every((kind) => captures[kind])) return false;
  const reached = reaches(faces.similarity, approve.similarity) && reaches(faces.liveness, approve.liveness);
  return reached && faces.selfieFaces === 1 && faces.documentFaces === 1 && findingsOf(link).length === 0;
}
