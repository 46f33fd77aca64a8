import { fillText, type ConfirmationSettings, type MessageText } from '../../domain/confirmation-settings';
import type { Language } from '../../domain/language';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { digestCode } from '../../platform/codes';
import type { Dependencies } from '../dependencies';

/** The flow as it travels into the transaction: texts filled but for the code and the minutes it is good for, so that history carries what was said. */
export function withBrand(settings: ConfirmationSettings, brand: string): ConfirmationSettings {
  const values = { brand };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const texts = Object.entries(settings.message).map(([language, text]) => [language, fill(text)]);
  return { ...settings, message: Object.fromEntries(texts) as Record<Language, MessageText> };
}

/** What the API proposes to a transaction when a confirmation is asked for. */
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
