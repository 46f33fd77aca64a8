import type { components } from '../api-types';

type Schemas = components['schemas'];

export type CaptureKind = Schemas['CaptureKind'];
export type FindingCode = Schemas['ImageFinding']['code'];
export type Finding = Schemas['ImageFinding'];
export type Measures = Schemas['ImageMeasures'];
export type DecisionStatus = Schemas['DecisionStatus'];
export type Review = Schemas['Review'];
export type WaitingReview = Schemas['ReviewList']['reviews'][number];

/** The kinds of images, in the order in which reviewers look at the images. */
export const captureKinds: readonly CaptureKind[] = ['documentFront', 'documentBack', 'selfie'];
