import type { Channel, MessageText } from '../confirmation-settings';
import type { Language } from '../language';

/**
 * `Waiting`: the link was not opened. `InProgress`: it was. `Processing`: the images are in, nobody has decided.
 * `Expired`: never opened in time. `Abandoned`: opened, not finished in time. `Canceled`: a newer link took its place,
 * its run was canceled, or its images were erased before a decision.
 */
export const biometricsStatuses = [
  'Waiting',
  'InProgress',
  'Processing',
  'Approved',
  'Rejected',
  'Inconclusive',
  'Expired',
  'Abandoned',
  'Canceled',
] as const;

export type BiometricsStatus = (typeof biometricsStatuses)[number];

export const captureKinds = ['documentFront', 'documentBack', 'selfie'] as const;

export type CaptureKind = (typeof captureKinds)[number];

/** One image as it was stored, and what was measured of it. */
export interface Capture {
  imageId: string;
  at: string;
  /** The image that it took the place of. */
  replaces?: string;
  /** Pixels, after re-encoding. */
  width: number;
  height: number;
  /** Variance of the Laplacian; the higher, the sharper. */
  sharpness: number;
  /** Mean of the grey values, 0 to 255. */
  brightness: number;
}

/** What a face verifier found. What it did not look for is absent. */
export interface FaceFindings {
  /** Likeness of selfie and document, 0 to 1. */
  similarity?: number;
  /** Likeliness that the selfie is of a living person, 0 to 1. */
  liveness?: number;
  /** Faces that it sees on the selfie. */
  selfieFaces?: number;
  /** Faces that it sees on the front of the document. */
  documentFaces?: number;
  /** Codes of the verifier's own, for the reviewer. */
  notes: string[];
}

/** What a tenant does with face findings. Present: images are sent to the face verifier, and the consent says so. */
export interface FacePolicy {
  /** Approves without a reviewer what reaches both, with one face on each image and no fault of quality. Absent: never. */
  approve?: { similarity: number; liveness: number };
}

export interface Decision {
  status: 'Approved' | 'Rejected' | 'Inconclusive';
  /** Id of the reviewer, or `policy` for a decision of the tenant's policy. */
  by: string;
  reason: string;
  at: string;
}

/** A message with the link. */
export interface LinkSend {
  id: string;
  channel: Channel;
  state: 'pending' | 'accepted' | 'failed';
  /** Why it failed, as with the messages of confirmations. */
  failureReason?: string;
}

/** One link, and what came of it. Its token is derived from the id and kept nowhere. */
export interface Biometrics {
  id: string;
  /** The step of a flow that asked for it, as flow/step; absent when a caller did. */
  origin?: string;
  /** SHA-256 of the token in the address, by which a request finds the link. */
  tokenHash: string;
  status: BiometricsStatus;
  createdAt: string;
  expiresAt: string;
  /** As the caller gave it, else the transaction's, else `createdAt`. */
  identifierDate: string;
  /** The person as the caller names them for this link. */
  name?: string;
  birthdate?: string;
  language: Language;
  sends: LinkSend[];
  /** What the person reads after the decision, by channel, in the link's language. The decision may come days later. */
  decisionTexts?: Partial<Record<Channel, MessageText>>;
  /** Keyed digest of the secret that the owning browser keeps. */
  owner?: string;
  openedAt?: string;
  consentedAt?: string;
  submittedAt?: string;
  captures: Partial<Record<CaptureKind, Capture>>;
  /** How often an image was taken, those taken again included. */
  taken: number;
  imageDays: number;
  facePolicy?: FacePolicy;
  /** Since when the face verifier has been asked, whether or not it had findings. */
  verifiedAt?: string;
  faces?: FaceFindings;
  decision?: Decision;
  /** Since when the images are gone on request. */
  erasedAt?: string;
}

const openStatuses: readonly BiometricsStatus[] = ['Waiting', 'InProgress'];

/** Whether the person can still do something. */
export function isOpenLink({ status }: Pick<Biometrics, 'status'>): boolean {
  return openStatuses.includes(status);
}

const unusedStatuses: readonly BiometricsStatus[] = ['Expired', 'Abandoned', 'Canceled'];

/** Whether a link ended without what it was for. */
export const isUnused = ({ status }: Pick<Biometrics, 'status'>): boolean => unusedStatuses.includes(status);

export function isDueLink(biometrics: Biometrics, now: string): boolean {
  return isOpenLink(biometrics) && now >= biometrics.expiresAt;
}
