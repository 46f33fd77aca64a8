import type { MailBrand } from '../brand/brand';
import type { MessageText, TextChannel } from '../confirmations/settings';
import type { Language, PageRequester } from '../transactions/input';

/**
 * `Waiting`: not opened yet. `InProgress`: opened. `Processing`: submitted, not decided yet. `Expired`: not opened in time. `Abandoned`:
 * opened, but not submitted in time. `Canceled`: a newer link replaced it, its flow run was canceled, the person denied the
 * transaction, or its images were erased before a decision.
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

/** The images that a person takes for one link. */
export const captureKinds = ['documentFront', 'documentBack', 'selfie'] as const;

export type CaptureKind = (typeof captureKinds)[number];

/** One stored image and its measurements. */
export interface Capture {
  imageId: string;
  at: string;
  /** The id of the image that this image replaced. */
  replaces?: string;
  /** Pixels, after re-encoding. */
  width: number;
  height: number;
  /** The variance of the Laplacian, a usual measure of sharpness. A higher value means a sharper image. */
  sharpness: number;
  /** Mean of the grey values, 0 to 255. */
  brightness: number;
}

/** The result of a face verifier. A value that it did not check is absent. */
export interface FaceFindings {
  /** Similarity of selfie and document, 0 to 1. */
  similarity?: number;
  /** Probability that the selfie shows a living person, 0 to 1. */
  liveness?: number;
  /** Number of faces on the selfie. */
  selfieFaces?: number;
  /** Number of faces on the front of the document. */
  documentFaces?: number;
  /** Codes of the verifier, for the reviewer. */
  notes: string[];
}

/**
 * How a tenant uses face findings. If a link has a face policy, the face verifier gets its images, and the text to which the person
 * consents says so.
 */
export interface FacePolicy {
  /** Minimum values for an approval without a reviewer; see `isApprovedByPolicy`. Absent: a reviewer always decides. */
  approve?: { similarity: number; liveness: number };
}

/** The decision on the submitted images of a link. */
export interface Decision {
  status: 'Approved' | 'Rejected' | 'Inconclusive';
  /** Id of the reviewer, or `policy` for a decision of the tenant's policy. */
  by: string;
  reason: string;
  at: string;
}

/** One message with the link. Its `state` is `pending` until the provider has accepted or rejected it. */
export interface LinkSend {
  id: string;
  channel: TextChannel;
  state: 'pending' | 'accepted' | 'failed';
  /**
   * The text of a pending message, filled except for {{link}}. It is kept so that another workflow run can send the message. Absent in
   * records of earlier versions, and after the message was accepted or has failed.
   */
  text?: MessageText;
  /** Why the message failed; see `Send.failureReason`. */
  failureReason?: string;
}

/** A message with the link that is still to be sent. */
export type PendingLinkSend = LinkSend & { text: MessageText };

/** One link and its result. The token in the URL of the link is derived from `id` and never stored. */
export interface Biometrics {
  id: string;
  /** The flow step that requested the link, as flow/step. Absent if a caller requested the link. */
  origin?: string;
  requester?: PageRequester;
  /** SHA-256 of the token in the URL. */
  tokenHash: string;
  status: BiometricsStatus;
  createdAt: string;
  expiresAt: string;
  /**
   * The date that the caller gave for this link or, if there is none, for the transaction. If the caller gave no date, this is `createdAt`.
   */
  identifierDate: string;
  /** The person's name that the caller gave for this link. */
  name?: string;
  birthdate?: string;
  language: Language;
  sends: LinkSend[];
  /** The texts that the person gets after the decision, by channel. They are kept because the decision may come days later. */
  decisionTexts?: Partial<Record<TextChannel, MessageText>>;
  /** What the mails of this link show. Absent: the name of their sender. */
  brand?: MailBrand;
  /** Keyed digest of a secret. Only the browser in which the link was first opened has this secret. */
  owner?: string;
  openedAt?: string;
  consentedAt?: string;
  submittedAt?: string;
  captures: Partial<Record<CaptureKind, Capture>>;
  /** Number of images taken, including retakes. */
  taken: number;
  /** Days after which the images are erased. */
  imageDays: number;
  facePolicy?: FacePolicy;
  /** When the check by the face verifier ended, with or without findings. */
  verifiedAt?: string;
  faces?: FaceFindings;
  decision?: Decision;
  /** When the images were erased on request. */
  erasedAt?: string;
}

const openStatuses: readonly BiometricsStatus[] = ['Waiting', 'InProgress'];

/** Whether the person can still use the link. */
export function isOpenLink({ status }: Pick<Biometrics, 'status'>): boolean {
  return openStatuses.includes(status);
}

/** The messages with the link that are still to be sent. Empty for a closed link. */
export const pendingLinkSends = ({ status, sends }: Pick<Biometrics, 'status' | 'sends'>): PendingLinkSend[] =>
  isOpenLink({ status })
    ? sends.filter((send): send is PendingLinkSend => send.state === 'pending' && send.text !== undefined)
    : [];

const statusesWithoutDecision: readonly BiometricsStatus[] = ['Expired', 'Abandoned', 'Canceled'];

/** Whether a link ended without a decision. */
export const hasEndedWithoutDecision = ({ status }: Pick<Biometrics, 'status'>): boolean =>
  statusesWithoutDecision.includes(status);

/** Whether the lifetime of an open link is over. False for a closed link. */
export function isLinkPastExpiry(biometrics: Biometrics, now: string): boolean {
  return isOpenLink(biometrics) && now >= biometrics.expiresAt;
}

/**
 * Why a link was canceled, for the person. Undefined if it was not canceled. `erased`: the images were erased. `newer`: another
 * link replaced it. `ended`: its flow run was canceled, or the person denied the
 * transaction. `isNewest`: whether the transaction has no newer link.
 */
export function cancelReasonOf(
  { status, erasedAt }: Pick<Biometrics, 'status' | 'erasedAt'>,
  isNewest: boolean,
): 'erased' | 'newer' | 'ended' | undefined {
  if (status !== 'Canceled') return undefined;
  if (erasedAt !== undefined) return 'erased';
  return isNewest ? 'ended' : 'newer';
}

/** The link that the API proposes for a request. */
export interface BiometricsProposal {
  /** Id of the link. The token in the URL of the link is derived from this id. */
  biometricsId: string;
  /** The flow step that requests the link, as flow/step. */
  origin?: string;
  /** The caller that requests the link. Absent if a flow step requests it. */
  requester?: PageRequester;
  /** SHA-256 of the token in the URL. */
  tokenHash: string;
  expiresAfterMs: number;
  /** Language of page and messages when the transaction has no genericFields.locale, or one that is not in `languages`. */
  language: Language;
  /** The languages of the brand. Absent: all languages of the service. */
  languages?: readonly Language[];
  /** What mails show. Absent: the name of their sender. */
  brand?: MailBrand;
  name?: string;
  birthdate?: string;
  identifierDate?: string;
  /** Channels on which the service sends the link. If empty, the caller gives the link to the person. */
  channels: readonly TextChannel[];
  /** The texts by channel, filled except for {{link}}. */
  messages: Partial<Record<TextChannel, Record<Language, MessageText>>>;
  /** The texts after a decision, by channel. Absent: no message is sent, and the page does not promise a message. */
  decisionTexts?: Partial<Record<TextChannel, Record<Language, MessageText>>>;
  /** Dial codes of the countries to which messages may go, such as 55. */
  allowedDialCodes: readonly string[];
  /** Days after which images are erased. The page shows this number. */
  imageDays: number;
  facePolicy?: FacePolicy;
}
