import { fillText, type ConfirmationSettings, type MessageText } from '../../domain/confirmation-settings';
import type { Language } from '../../domain/language';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { digestCode } from '../../platform/codes';
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
export function proposalOf(
  dependencies: Pick<Dependencies, 'keys' | 'config' | 'confirmations'>,
  declared: ConfirmationSettings,
  transactionId: string,
  confirmationId: string,
): ConfirmationProposal {
  const { config, confirmations, keys } = dependencies;
  const settings = confirmations.get(declared.name) ?? declared;
  return {
    confirmationId,
    settings: withBrand(settings, config.BRAND),
    language: config.DEFAULT_LANGUAGE,
    ...(settings.kind === 'token' ? { digest: digestCode(keys, transactionId, confirmationId, settings) } : {}),
    allowedCountries: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}
