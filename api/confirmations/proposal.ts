import { fillText, type ConfirmationSettings, type MessageText } from '../../domain/confirmation-settings';
import type { Language } from '../../domain/language';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { digestCorrectCode } from '../../platform/codes';
import type { Dependencies } from '../dependencies';

/** The settings for a transaction: the texts have the brand, so that Temporal's history has what was sent, without the code. */
export function withBrand(settings: ConfirmationSettings, brand: string): ConfirmationSettings {
  const values = { brand };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const texts = Object.entries(settings.message).map(([language, text]) => [language, fill(text)]);
  return { ...settings, message: Object.fromEntries(texts) as Record<Language, MessageText> };
}

/** The input of a confirmation request: settings of this deployment, and the digest of the code for a token. */
export function confirmationProposalOf(
  dependencies: Pick<Dependencies, 'keys' | 'config' | 'confirmationSettings'>,
  defaultSettings: ConfirmationSettings,
  transactionId: string,
  confirmationId: string,
): ConfirmationProposal {
  const { config, confirmationSettings, keys } = dependencies;
  const settings = confirmationSettings.get(defaultSettings.name) ?? defaultSettings;
  return {
    confirmationId,
    settings: withBrand(settings, config.BRAND),
    language: config.DEFAULT_LANGUAGE,
    ...(settings.kind === 'token' ? { digest: digestCorrectCode(keys, transactionId, confirmationId, settings) } : {}),
    allowedCountries: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}
