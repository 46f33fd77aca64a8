import { type Channel, SettingsError, type MessageText } from '../confirmation-settings';
import type { Language } from '../language';

/** The message that carries a biometrics link. Placeholders: {{brand}}, {{hours}}, {{link}}; never personal data. */
export type LinkMessages = Record<Channel, Record<Language, MessageText>>;

type Placeholder = 'brand' | 'hours' | 'link';

/** Checks texts when they are loaded and returns them. Throws SettingsError saying which text is wrong and what it may be. */
export function defineLinkMessages(messages: LinkMessages): LinkMessages {
  for (const [channel, texts] of Object.entries(messages) as [Channel, Record<Language, MessageText>][])
    for (const [language, text] of Object.entries(texts)) check(channel, language, text);
  return messages;
}

function check(channel: Channel, language: string, { subject = '', body }: MessageText): void {
  const refuse = (rule: string): never => {
    throw new SettingsError(`Biometrics link: ${channel}.${language} ${rule}.`);
  };
  if (/\{\{(?!(?:brand|hours|link)\}\})/.test(`${subject}\n${body}`))
    refuse('uses only {{brand}}, {{hours}} and {{link}}');
  if (channel === 'email') {
    if (!subject) refuse('has a subject');
    // Mail servers write subjects into their logs.
    if (subject.includes('{{link}}')) refuse('keeps the {{link}} out of its subject');
    return;
  }
  if (body.split('{{link}}').length !== 2) refuse('shows the {{link}} once');
  // Apps take a mark that follows an address for a part of it, or not, each in its own way.
  if (!/(?<!\S)\{\{link\}\}(?!\S)/.test(body)) refuse('sets the {{link}} apart by spaces');
  // WhatsApp approves no template that ends with a variable.
  if (channel === 'whatsapp' && /\{\{link\}\}\s*$/.test(body)) refuse('goes on after the {{link}}');
}

/** Fills the placeholders of a text. A placeholder without a value stays as it is, so that texts can be kept without their link. */
export function fillLinkText(text: string, values: Partial<Record<Placeholder, string>>): string {
  return text.replace(/\{\{(brand|hours|link)\}\}/g, (whole, key: Placeholder) => values[key] ?? whole);
}

/** The texts as they travel into a transaction, filled but for the link. `hours` is how long it is open. */
export function fillLinkMessages(
  messages: LinkMessages,
  { brand, hours }: { brand: string; hours: number },
): LinkMessages {
  const values = { brand, hours: String(hours) };
  const fill = ({ subject, body }: MessageText): MessageText => ({
    ...(subject === undefined ? {} : { subject: fillLinkText(subject, values) }),
    body: fillLinkText(body, values),
  });
  const fillAll = (texts: Record<Language, MessageText>): Record<Language, MessageText> => ({
    'pt-BR': fill(texts['pt-BR']),
    en: fill(texts.en),
    es: fill(texts.es),
  });
  return { sms: fillAll(messages.sms), email: fillAll(messages.email), whatsapp: fillAll(messages.whatsapp) };
}
