import type { Channel, MessageText } from '../confirmation-settings';
import type { Language } from '../language';
import type { FacePolicy } from './biometrics';

/** What the API proposes when a link is asked for. */
export interface BiometricsProposal {
  /** Id of the link; its token is derived from it. */
  biometricsId: string;
  /** The step of a flow that asks, as flow/step. */
  origin?: string;
  tokenHash: string;
  expiresAfterMs: number;
  /** Language of page and messages when the transaction names none in genericFields.locale. */
  language: Language;
  name?: string;
  birthdate?: string;
  identifierDate?: string;
  /** Channels by which the service sends the link itself; none: the caller does. */
  channels: readonly Channel[];
  /** The texts by channel, filled but for {{link}}. */
  messages: Partial<Record<Channel, Record<Language, MessageText>>>;
  /** The texts by channel, filled, that tell the person of a decision. Absent: nothing is sent, and the page promises nothing. */
  decisionTexts?: Partial<Record<Channel, Record<Language, MessageText>>>;
  /** Dial codes that messages may go to. */
  allowedCountries: readonly string[];
  /** Days after which images are deleted, as the page tells the person. */
  imageDays: number;
  facePolicy?: FacePolicy;
}
