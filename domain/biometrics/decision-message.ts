import { addMs } from '../add-ms';
import { type Channel, type MessageText, SettingsError } from '../confirmation-settings';
import type { Biometrics } from './biometrics';
import type { BiometricsTexts } from './link-message';

/**
 * Checks and returns the texts that a person gets after the decision. The only placeholder is {{brand}}. The texts never
 * contain the result, a reason or personal data. Throws SettingsError for the first invalid text.
 */
export function defineDecisionTexts(texts: BiometricsTexts): BiometricsTexts {
  for (const [channel, byLanguage] of Object.entries(texts))
    for (const [language, { subject, body }] of Object.entries(byLanguage)) {
      const textPath = `Biometrics decision: ${channel}.${language}`;
      if (/\{\{(?!brand\}\})/.test(`${subject ?? ''}\n${body}`))
        throw new SettingsError(`${textPath} may only use {{brand}}.`);
      if (channel === 'email' && !subject) throw new SettingsError(`${textPath} must have a subject.`);
    }
  return texts;
}

/** A message to the person after the decision. */
export interface DecisionMessage {
  sendId: string;
  channel: Channel;
  message: MessageText;
  /** ISO 8601. */
  expiresAt: string;
}

/** How long after the decision a message may still be sent. A later message would confuse a person who already knows the result. */
const deliveredWithinMs = 60 * 60_000;

/** One text for each channel of the link, except channels on which the message with the link failed. */
const textsOf = ({ sends, decisionTexts = {} }: Biometrics) =>
  sends.flatMap(({ channel, state }) => {
    const message = decisionTexts[channel];
    return message && state !== 'failed' ? [{ channel, message }] : [];
  });

/** Whether the page may announce a message after the decision. Only a link with decision texts sends such a message. */
export const announcesMessage = (link: Biometrics): boolean => textsOf(link).length > 0;

/** The messages after the decision, the same for every decision. Empty before the decision. */
export function decisionMessages(link: Biometrics): DecisionMessage[] {
  if (!link.decision) return [];
  const expiresAt = addMs(link.decision.at, deliveredWithinMs);
  return textsOf(link).map(({ channel, message }) => ({
    sendId: `${link.id}.decided-${channel}`,
    channel,
    message,
    expiresAt,
  }));
}
