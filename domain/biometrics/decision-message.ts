import { type Channel, type MessageText, SettingsError } from '../confirmation-settings';
import type { Biometrics } from './biometrics';
import type { LinkMessages } from './link-message';

/**
 * Checks the texts that a person reads once their images were decided on, and returns them. Placeholder: {{brand}}; never the
 * result, a reason or personal data. Throws SettingsError saying which text is wrong and what it may be.
 */
export function defineDecisionTexts(texts: LinkMessages): LinkMessages {
  for (const [channel, byLanguage] of Object.entries(texts))
    for (const [language, { subject, body }] of Object.entries(byLanguage)) {
      const where = `Biometrics decision: ${channel}.${language}`;
      if (/\{\{(?!brand\}\})/.test(`${subject ?? ''}\n${body}`))
        throw new SettingsError(`${where} uses only {{brand}}.`);
      if (channel === 'email' && !subject) throw new SettingsError(`${where} has a subject.`);
    }
  return texts;
}

/** A message that is due to the person. */
export interface DecisionMessage {
  sendId: string;
  channel: Channel;
  message: MessageText;
}

/** One message by each channel that took the link to the person: an address that failed then is not tried again. */
const messagesOf = ({ id, sends, decisionTexts = {} }: Biometrics): DecisionMessage[] =>
  sends.flatMap(({ channel, state }) => {
    const message = decisionTexts[channel];
    return message && state !== 'failed' ? [{ sendId: `${id}.decided-${channel}`, channel, message }] : [];
  });

/** Whether the page may promise a message after the decision: only a link that carries its texts is followed by one. */
export const promisesMessage = (link: Biometrics): boolean => messagesOf(link).length > 0;

/** The messages that are due once the images were decided on, whatever the decision; none before. */
export const decisionMessages = (link: Biometrics): DecisionMessage[] => (link.decision ? messagesOf(link) : []);
