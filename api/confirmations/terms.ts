import type { ConfirmationSettings } from '../../domain/confirmations/settings';
import { type CodeKeys, digestCorrectCode } from '../../messages/codes';

/** How the API proposes the confirmations of one transaction. */
export interface ConfirmationTerms {
  /** The settings of a confirmation. `settings`: those of its flow, or of this deployment. */
  settingsOf(settings: ConfirmationSettings): ConfirmationSettings;
  /** Keyed digest of the correct code of a confirmation. */
  digestOf(confirmationId: string, settings: ConfirmationSettings): string;
}

/** The terms of a transaction about which nothing is known: the settings as they are, and a secret code. */
export const usualTerms = (keys: CodeKeys, transactionId: string): ConfirmationTerms => ({
  settingsOf: (settings) => settings,
  digestOf: (confirmationId, settings) => digestCorrectCode(keys, transactionId, confirmationId, settings),
});
