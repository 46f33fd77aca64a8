import type { OutgoingMessage } from './channel';

/** A WhatsApp template as the provider stores it and WhatsApp approves it, and the values of one message. */
export interface WhatsappTemplate {
  type: 'twilio/quick-reply' | 'twilio/text';
  content: { body: string; actions?: readonly object[] };
  /** A sample value for each variable of the content, by number. */
  samples: Record<string, string>;
  /** The values of this message. */
  values: Record<string, string>;
}

/** The WhatsApp template of a message; undefined for a message that is sent as plain text. */
export function whatsappTemplateOf(message: OutgoingMessage): WhatsappTemplate | undefined {
  const { settings, language, text, content } = message;
  if (content.kind === 'biometricsResult')
    return { type: 'twilio/text', content: { body: text }, samples: {}, values: {} };
  if (content.kind === 'link') return linkTemplate(text, content.link);
  if (content.kind !== 'secondFactor' || !settings.options?.length) return undefined;
  const actions = settings.options.map(({ option, label }) => ({
    type: 'QUICK_REPLY',
    id: String(option),
    title: label[language],
  }));
  return { type: 'twilio/quick-reply', content: { body: text, actions }, samples: {}, values: {} };
}

/**
 * A text with one variable: the token at the end of the link. The host of the link is part of the text, so that WhatsApp sees the host when
 * it approves the text. The link is in the text and not in a button, so that each message has its own text. After a send with an unknown
 * outcome, `reconcile` searches for this text at the provider.
 */
function linkTemplate(text: string, link: string): WhatsappTemplate {
  const tokenStart = link.lastIndexOf('/') + 1;
  const [address, token] = [link.slice(0, tokenStart), link.slice(tokenStart)];
  return {
    type: 'twilio/text',
    content: { body: text.replace(link, () => `${address}{{1}}`) },
    samples: { 1: 'x'.repeat(token.length) },
    values: { 1: token },
  };
}
