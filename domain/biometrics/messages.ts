import { type TextChannel, fillText, type MessageText, SettingsError } from '../confirmations/settings';
import type { Language } from '../transactions/input';
import { addMs } from '../transactions/limits';
import type { Biometrics } from './biometrics';

/** Texts about biometrics, by channel and language: messages with the link, or messages after the decision. Never personal data. */
export type BiometricsTexts = Record<TextChannel, Record<Language, MessageText>>;

/**
 * Checks and returns the texts of the messages with a link. Placeholders: {{brand}}, {{hours}}, {{link}}. Throws SettingsError for
 * the first invalid text.
 */
export function defineLinkMessages(messages: BiometricsTexts): BiometricsTexts {
  for (const [channel, texts] of Object.entries(messages) as [TextChannel, Record<Language, MessageText>][])
    for (const [language, text] of Object.entries(texts)) checkLinkMessage(channel, language, text);
  return messages;
}

function checkLinkMessage(channel: TextChannel, language: string, { subject = '', body }: MessageText): void {
  const fail = (rule: string): never => {
    throw new SettingsError(`Biometrics link: ${channel}.${language} ${rule}.`);
  };
  if (/\{\{(?!(?:brand|hours|link)\}\})/.test(`${subject}\n${body}`))
    fail('may only use {{brand}}, {{hours}} and {{link}}');
  if (channel === 'email') {
    if (!subject) fail('must have a subject');
    // Mail servers log subjects.
    if (subject.includes('{{link}}')) fail('must not have {{link}} in its subject');
    return;
  }
  if (body.split('{{link}}').length !== 2) fail('must contain {{link}} once');
  // Some apps read punctuation next to a URL as a part of the URL.
  if (!/(?<!\S)\{\{link\}\}(?!\S)/.test(body)) fail('must have spaces around {{link}}');
  // WhatsApp approves no template that ends with a variable.
  if (channel === 'whatsapp' && /\{\{link\}\}\s*$/.test(body)) fail('must not end with {{link}}');
}

/** Fills all placeholders except {{link}}, because a transaction stores the texts without the link. `hours`: the lifetime of the link. */
export function fillLinkMessages(
  messages: BiometricsTexts,
  { brand, hours }: { brand: string; hours: number },
): BiometricsTexts {
  const values = { brand, hours: String(hours) };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    body: fillText(body, values),
  });
  const fillAll = (texts: Record<Language, MessageText>): Record<Language, MessageText> => ({
    'pt-BR': fill(texts['pt-BR']),
    en: fill(texts.en),
    es: fill(texts.es),
  });
  return { sms: fillAll(messages.sms), email: fillAll(messages.email), whatsapp: fillAll(messages.whatsapp) };
}

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
  channel: TextChannel;
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
