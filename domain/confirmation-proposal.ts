import type { ConfirmationSettings } from './confirmation-settings';
import type { Language } from './language';
import type { PageRequester } from './page-requester';

/**
 * What the API sends to the workflow to request a confirmation. In its texts, all placeholders are replaced, except {{code}} and
 * {{minutes}}.
 */
export interface ConfirmationProposal {
  /** Id for a new confirmation. Not used if the request only resends the message of an open confirmation. */
  confirmationId: string;
  settings: ConfirmationSettings;
  /** Language of the messages when the transaction has no genericFields.locale. */
  language: Language;
  /** The caller that requests the confirmation. Set only if the hosted page sends the person back to the site of this caller. */
  requester?: PageRequester;
  /** Keyed digest of the code that belongs to `confirmationId`. Tokens only. */
  digest?: string;
  /** Dial codes of the countries to which messages may go, such as 55. */
  allowedDialCodes: readonly string[];
  /** Whether a question by e-mail needs an e-mail address that is already confirmed. */
  requireVerifiedEmail: boolean;
}
