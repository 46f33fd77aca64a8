import { fillText, type ConfirmationSettings, type MessageText } from '../../domain/confirmation-settings';
import type { Language } from '../../domain/language';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { digestCode } from '../../platform/codes';
import type { Dependencies } from '../dependencies';

/** The flow as it travels into the transaction: texts filled but for the code and the minutes it is good for, so that history carries what was said. */
export function filled(flow: ConfirmationSettings, brand: string): ConfirmationSettings {
  const values = { brand };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const texts = Object.entries(flow.message).map(([language, text]) => [language, fill(text)]);
  return { ...flow, message: Object.fromEntries(texts) as Record<Language, MessageText> };
}

/** What the API proposes to a transaction when a confirmation is asked for. */
export function proposalOf(
  parts: Pick<Dependencies, 'keys' | 'config' | 'flows'>,
  declared: ConfirmationSettings,
  transactionId: string,
  confirmationId: string,
): ConfirmationProposal {
  const { config, flows, keys } = parts;
  const flow = flows.get(declared.name) ?? declared;
  return {
    confirmationId,
    flow: filled(flow, config.BRAND),
    language: config.DEFAULT_LANGUAGE,
    ...(flow.kind === 'token' ? { digest: digestCode(keys, transactionId, confirmationId, flow) } : {}),
    allowedCountries: config.ALLOWED_COUNTRIES,
    requireVerifiedEmail: config.REQUIRE_VERIFIED_EMAIL,
  };
}
