import { type Channel, type MessageText, SettingsError } from '../confirmation-settings';
import type { Biometrics } from './biometrics';
import type { LinkMessages } from './link-message';

/**
 * Checks the texts that a person gets after the decision and returns them. The only placeholder is {{brand}}. The texts never
 * contain the result, a reason or personal data. Throws SettingsError for the first invalid text.
 */
export function defineDecisionTexts(texts: LinkMessages): LinkMessages {
  for (const [channel, byLanguage] of Object.entries(texts))
    for (const [language, { subject, body }] of Object.entries(byLanguage)) {
      const where = `Biometrics decision: ${channel}.${language}`;
      if (/\{\{(?!brand\}\})/.test(`${subject ?? ''}\n${body}`))
        throw new SettingsError(`${where} may only use {{brand}}.`);
      if (channel === 'email' && !subject) throw new SettingsError(`${where} must have a subject.`);
    }
  return texts;
}

/** A message to the person. */
export interface DecisionMessage {
  sendId: string;
  channel: Channel;
  message: MessageText;
}

/** One message per channel that delivered the link. A channel that failed is not tried again. */
const messagesOf = ({ id, sends, decisionTexts = {} }: Biometrics): DecisionMessage[] =>
  sends.flatMap(({ channel, state }) => {
    const message = decisionTexts[channel];
    return message && state !== 'failed' ? [{ sendId: `${id}.decided-${channel}`, channel, message }] : [];
  });

/** Whether the page may promise a message after the decision: only a link with decision texts sends one. */
export const promisesMessage = (link: Biometrics): boolean => messagesOf(link).length > 0;

/** The messages after the decision, whatever it is; none before. */
export const decisionMessages = (link: Biometrics): DecisionMessage[] => (link.decision ? messagesOf(link) : []);
