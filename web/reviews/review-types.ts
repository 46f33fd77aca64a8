import type { components } from '../api-types';

type Schemas = components['schemas'];

export type CaptureKind = Schemas['CaptureKind'];
export type FindingCode = Schemas['ImageFinding']['code'];
/** What the service found on an image, such as that it is blurred. */
export type Finding = Schemas['ImageFinding'];
/** What the service measured on an image, such as its sharpness. */
export type Measures = Schemas['ImageMeasures'];
export type DecisionStatus = Schemas['DecisionStatus'];
export type Review = Schemas['Review'];
/** A review in the list of reviews that wait for a decision. */
export type WaitingReview = Schemas['ReviewList']['reviews'][number];

/** The kinds of images, in the order in which reviewers look at the images. */
export const captureKinds: readonly CaptureKind[] = ['documentFront', 'documentBack', 'selfie'];
