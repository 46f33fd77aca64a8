import type { Channel, MessageText } from '../confirmation-settings';
import type { Language } from '../language';
import type { PageRequester } from '../page-requester';
import type { FacePolicy } from './biometrics';

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
  /** Language of page and messages when the transaction has no genericFields.locale. */
  language: Language;
  name?: string;
  birthdate?: string;
  identifierDate?: string;
  /** Channels on which the service sends the link. If empty, the caller gives the link to the person. */
  channels: readonly Channel[];
  /** The texts by channel, filled except for {{link}}. */
  messages: Partial<Record<Channel, Record<Language, MessageText>>>;
  /** The texts after a decision, by channel. Absent: no message is sent, and the page does not promise a message. */
  decisionTexts?: Partial<Record<Channel, Record<Language, MessageText>>>;
  /** Dial codes of the countries to which messages may go, such as 55. */
  allowedDialCodes: readonly string[];
  /** Days after which images are erased. The page shows this number. */
  imageDays: number;
  facePolicy?: FacePolicy;
}
