import type { ConfirmationSettings } from './confirmation-settings';
import type { Language } from './language';

/** What the API proposes when a confirmation is asked for. The texts are filled but for {{code}}. */
export interface ConfirmationProposal {
  /** Id of the confirmation, if a new one comes to be. */
  confirmationId: string;
  settings: ConfirmationSettings;
  /** Language of the messages when the transaction names none in genericFields.locale. */
  language: Language;
  /** Keyed digest of the code that belongs to `confirmationId`. Tokens only. */
  digest?: string;
  /** Dial codes that messages may go to. */
  allowedCountries: readonly string[];
  requireVerifiedEmail: boolean;
}
