import { readFileSync } from 'node:fs';
import path from 'node:path';
import { assert, double, integer, nat, property, record, tuple } from 'fast-check';
import { type Biometrics, type Capture, captureKinds, type FaceFindings } from '../../../domain/biometrics/biometrics';
import {
  imageFindingsOf,
  goodImageBounds,
  isApprovedByPolicy,
  rejectionReason,
} from '../../../domain/biometrics/capture';

type Link = Pick<Biometrics, 'captures' | 'faces' | 'facePolicy'>;
type Measures = Parameters<typeof rejectionReason>[0];

const goodCapture: Capture = {
  imageId: 'i',
  at: '2026-11-21T00:00:00.000Z',
  width: 1600,
  height: 1200,
  sharpness: 200,
  brightness: 120,
};
const goodCaptures = { documentFront: goodCapture, documentBack: goodCapture, selfie: goodCapture };
const faces: FaceFindings = { similarity: 0.9, liveness: 0.9, selfieFaces: 1, documentFaces: 1, notes: [] };
const approvalThresholds = { similarity: 0.8, liveness: 0.7 };

const pageScript = readFileSync(path.join(__dirname, '../../../web/biometrics/check-image.ts'), 'utf8');
const readNumbers = (pattern: RegExp) => (pattern.exec(pageScript) ?? []).slice(1).map(Number);

it('the service checks images against the same limits as the page', () => {
  const { shortEdgeMin, brightnessMin, brightnessMax, sharpnessMin } = goodImageBounds;
  expect(readNumbers(/^const shortEdgeMin = ([\d.]+);$/m)).toEqual([shortEdgeMin]);
  expect(readNumbers(/^const \[brightnessMin, brightnessMax\] = \[([\d.]+), ([\d.]+)\] as const;$/m)).toEqual([
    brightnessMin,
    brightnessMax,
  ]);
  expect(readNumbers(/^const sharpnessMin = ([\d.]+);$/m)).toEqual([sharpnessMin]);
  expect(pageScript).toContain('Math.min(canvas.width, canvas.height) < shortEdgeMin');
  expect(pageScript).toContain('brightness < brightnessMin');
  expect(pageScript).toContain('brightness > brightnessMax');
  expect(pageScript).toContain('sharpnessOf(greyCopy) < sharpnessMin');
});

describe('findings for reviewers', () => {
  const findCodes = (change: Partial<Capture>) =>
    imageFindingsOf({ captures: { documentBack: { ...goodCapture, ...change } } }).map(
      ({ capture, code }) => `${capture} ${code}`,
    );

  it.each<[string, Partial<Capture>, string[]]>([
    ['nothing on a good image', {}, []],
    ['nothing on an image at the minimum', { width: 640, height: 640, brightness: 45, sharpness: 30 }, []],
    ['nothing on an image with the maximum brightness', { brightness: 225 }, []],
    ['a narrow image', { width: 639 }, ['documentBack small']],
    ['a low image', { height: 639 }, ['documentBack small']],
    ['a dark image', { brightness: 44.9 }, ['documentBack dark']],
    ['a bright image', { brightness: 225.1 }, ['documentBack bright']],
    ['a blurred image', { sharpness: 29.9 }, ['documentBack blurred']],
    [
      'all problems at once',
      { width: 1, brightness: 0, sharpness: 0 },
      ['small', 'dark', 'blurred'].map((c) => `documentBack ${c}`),
    ],
    ['an unmeasured value', { sharpness: Number.NaN }, ['documentBack blurred']],
  ])('the reviewer gets the right findings: %s', (_, change, expected) => {
    expect(findCodes(change)).toEqual(expected);
  });

  it.each<[string, Partial<FaceFindings>, Biometrics['facePolicy'], object[]]>([
    ['nothing if the face verifier returned only notes', { notes: ['glare'] }, { approve: approvalThresholds }, []],
    ['nothing if all values are good', faces, { approve: approvalThresholds }, []],
    ['no face on the selfie', { selfieFaces: 0 }, {}, [{ capture: 'selfie', code: 'no_face' }]],
    ['several faces on the selfie', { selfieFaces: 2 }, {}, [{ capture: 'selfie', code: 'several_faces' }]],
    ['no face on the document', { documentFaces: 0 }, {}, [{ capture: 'documentFront', code: 'no_face' }]],
    ['several faces on the document', { documentFaces: 3 }, {}, [{ capture: 'documentFront', code: 'several_faces' }]],
    [
      'similarity below the policy',
      { similarity: 0.79 },
      { approve: approvalThresholds },
      [{ capture: 'selfie', code: 'low_similarity' }],
    ],
    [
      'liveness below the policy',
      { liveness: 0.69 },
      { approve: approvalThresholds },
      [{ capture: 'selfie', code: 'low_liveness' }],
    ],
    [
      'nothing at the thresholds of the policy',
      { similarity: 0.8, liveness: 0.7 },
      { approve: approvalThresholds },
      [],
    ],
    ['nothing at 0.5 without a policy', { similarity: 0.5, liveness: 0.5 }, {}, []],
    ['similarity below 0.5', { similarity: 0.49 }, {}, [{ capture: 'selfie', code: 'low_similarity' }]],
    ['liveness below 0.5', { liveness: 0 }, undefined, [{ capture: 'selfie', code: 'low_liveness' }]],
  ])('the reviewer gets the right findings about faces: %s', (_, faceFindings, facePolicy, expected) => {
    const link = { captures: goodCaptures, faces: { notes: [], ...faceFindings }, ...(facePolicy && { facePolicy }) };
    expect(imageFindingsOf(link)).toEqual(expected);
  });
});

describe('an upload', () => {
  it.each<[Partial<Measures>, ReturnType<typeof rejectionReason>]>([
    [{}, undefined],
    [{ width: 320, height: 320, brightness: 8, sharpness: 2 }, undefined],
    [{ brightness: 248 }, undefined],
    [{ width: 319 }, 'too_small'],
    [{ height: 319 }, 'too_small'],
    [{ brightness: 7.9 }, 'too_dark'],
    [{ brightness: 248.1 }, 'too_bright'],
    [{ sharpness: 1.9 }, 'blurred'],
    [{ brightness: 0, sharpness: 0 }, 'too_dark'],
    [{ width: 1, brightness: 255, sharpness: 0 }, 'too_small'],
  ])('an upload with the values %j has the rejection reason %s', (change, reason) => {
    expect(rejectionReason({ ...goodCapture, ...change })).toBe(reason);
  });

  it('an upload is rejected only if its image would also have a finding for reviewers', () => {
    const anyMeasures = record({ width: nat(2000), height: nat(2000), sharpness: nat(100), brightness: nat(255) });
    const hasFinding = (measures: Measures) =>
      imageFindingsOf({ captures: { selfie: { ...goodCapture, ...measures } } }).length > 0;
    assert(property(anyMeasures, (measures) => rejectionReason(measures) === undefined || hasFinding(measures)));
  });
});

describe('a face policy', () => {
  const anyShare = double({ min: 0, max: 1, noNaN: true });
  const anyValidCapture = record({
    width: integer({ min: 640, max: 4096 }),
    height: integer({ min: 640, max: 4096 }),
    sharpness: double({ min: 30, max: 5_000, noNaN: true }),
    brightness: double({ min: 45, max: 225, noNaN: true }),
  }).map((measures): Capture => ({ ...goodCapture, ...measures }));
  const anyValidCaptures = record({
    documentFront: anyValidCapture,
    documentBack: anyValidCapture,
    selfie: anyValidCapture,
  });
  const orderedShares = tuple(anyShare, anyShare).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  /** Any link that meets all conditions of an approval. */
  const anyApprovable = tuple(anyValidCaptures, orderedShares, orderedShares).map(
    ([validCaptures, [similarity, higherSimilarity], [liveness, higherLiveness]]): Required<Link> => ({
      captures: validCaptures,
      faces: { ...faces, similarity: higherSimilarity, liveness: higherLiveness },
      facePolicy: { approve: { similarity, liveness } },
    }),
  );

  const omitKey = <Value extends object>(value: Value, key: keyof Value) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)) as never;
  const withFaces = (link: Required<Link>, change: Partial<FaceFindings>): Link => ({
    ...link,
    faces: { ...link.faces, ...change },
  });
  const withCapture = (link: Required<Link>, kind: (typeof captureKinds)[number], change: Partial<Capture>): Link => ({
    ...link,
    captures: { ...link.captures, [kind]: { ...goodCapture, ...change } },
  });

  it('a face policy approves when all thresholds are met', () => {
    assert(property(anyApprovable, isApprovedByPolicy));
  });

  it('if a face policy does not approve images, the same policy with higher thresholds does not approve them either', () => {
    assert(
      property(
        anyApprovable,
        orderedShares,
        orderedShares,
        (link, [similarity, higherSimilarity], [liveness, higherLiveness]) => {
          const isApproved = (thresholds: typeof approvalThresholds) =>
            isApprovedByPolicy({ ...link, facePolicy: { approve: thresholds } });
          return (
            isApproved({ similarity, liveness }) ||
            !isApproved({ similarity: higherSimilarity, liveness: higherLiveness })
          );
        },
      ),
    );
  });

  it.each<[string, (link: Required<Link>) => Link]>([
    ['no policy', (link) => omitKey(link, 'facePolicy')],
    ['a policy without thresholds', (link) => ({ ...link, facePolicy: {} })],
    ['no findings of a face verifier', (link) => omitKey(link, 'faces')],
    ...captureKinds.map((kind): [string, (link: Required<Link>) => Link] => [
      `no ${kind}`,
      (link) => ({ ...link, captures: omitKey(link.captures, kind) }),
    ]),
    ...(['similarity', 'liveness', 'selfieFaces', 'documentFaces'] as const).map(
      (fact): [string, (link: Required<Link>) => Link] => [
        `no ${fact}`,
        (link) => ({ ...link, faces: omitKey(link.faces, fact) }),
      ],
    ),
    ['a selfie without a face', (link) => withFaces(link, { selfieFaces: 0 })],
    ['a selfie with two faces', (link) => withFaces(link, { selfieFaces: 2 })],
    ['a document without a face', (link) => withFaces(link, { documentFaces: 0 })],
    ['a document with two faces', (link) => withFaces(link, { documentFaces: 2 })],
    ['a similarity that is not a number', (link) => withFaces(link, { similarity: Number.NaN })],
    ['a small image', (link) => withCapture(link, 'documentBack', { height: 639 })],
    ['a dark image', (link) => withCapture(link, 'selfie', { brightness: 44 })],
    ['a bright image', (link) => withCapture(link, 'documentFront', { brightness: 226 })],
    ['a blurred image', (link) => withCapture(link, 'documentBack', { sharpness: 29 })],
    ['an insufficient similarity', (link) => ({ ...link, facePolicy: { approve: { similarity: 1.01, liveness: 0 } } })],
    ['an insufficient liveness', (link) => ({ ...link, facePolicy: { approve: { similarity: 0, liveness: 1.01 } } })],
    [
      'thresholds that are not numbers',
      (link) => ({ ...link, facePolicy: { approve: {} as typeof approvalThresholds } }),
    ],
  ])('a link is not approved in this case: %s', (_, change) => {
    assert(property(anyApprovable, (link) => !isApprovedByPolicy(change(link))));
  });
});
