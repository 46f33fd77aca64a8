/** What an image shows. */
export type CaptureKind = 'documentFront' | 'documentBack' | 'selfie';

/** One image that the person takes. */
export interface Capture {
  kind: CaptureKind;
  /** The number of its step. The consent is step 1. */
  step: number;
  /** The camera to use. `environment` is on the back of a phone, `user` is on the front. */
  facing: 'environment' | 'user';
}

/** The images in the order in which the person takes them. */
export const captures: readonly Capture[] = [
  { kind: 'documentFront', step: 2, facing: 'environment' },
  { kind: 'documentBack', step: 3, facing: 'environment' },
  { kind: 'selfie', step: 4, facing: 'user' },
];
