import {
  type ConfirmationProposal,
  type ConfirmationSettings,
  fillText,
  type MessageText,
} from '../../domain/confirmation/settings';
import type { Language } from '../../domain/person';
import { digestCorrectCode } from '../../messages/codes';
import type { Dependencies } from '../dependencies';

/**
 * Returns the settings with the brand in all texts. Temporal's history then shows the texts as the person gets them, but without the code.
 */
export function withBrand(settings: ConfirmationSettings, brand: string): ConfirmationSettings {
  const values = { brand };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const texts = Object.entries(settings.message).map(([language, text]) => [language, fill(text)]);
  return { ...settings, message: Object.fromEntries(texts) as Record<Language, MessageText> };
}

/** Returns the input of a confirmation request: the settings of this deployment and, for a token, the digest of its code. */
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
    allowedDialCodes: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}
