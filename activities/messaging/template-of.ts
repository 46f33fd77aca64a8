import type { OutgoingMessage } from './channel';

/** What the provider keeps of a WhatsApp message and messaging apps approve, and what one message fills in. */
export interface Template {
  type: 'twilio/quick-reply' | 'twilio/text';
  content: { body: string; actions?: readonly object[] };
  /** Variables of the content by number, with a value that shows what they stand for. */
  samples: Record<string, string>;
  /** The values of this message. */
  values: Record<string, string>;
}

/** The template of a message, or undefined for one that is sent as it is. */
export function templateOf(message: OutgoingMessage): Template | undefined {
  const { flow: settings, language, text } = message;
  if (settings.kind === 'notice') return { type: 'twilio/text', content: { body: text }, samples: {}, values: {} };
  if (settings.kind === 'link') return linkTemplate(text, message.link ?? '');
  if (settings.kind !== 'secondFactor' || !settings.options?.length) return undefined;
  const actions = settings.options.map(({ option, label }) => ({
    type: 'QUICK_REPLY',
    id: String(option),
    title: label[language],
  }));
  return { type: 'twilio/quick-reply', content: { body: text, actions }, samples: {}, values: {} };
}

/**
 * A text whose one variable is the token at the end of the address; the host stays readable for whoever approves it. It is
 * no call-to-action: the provider's list of messages holds texts and no buttons, so that with the address in a button a
 * lost message could not be told from the one of another link to the same phone, and the wrong one would be adopted.
 */
function linkTemplate(text: string, link: string): Template {
  const place = link.lastIndexOf('/') + 1;
  const [address, token] = [link.slice(0, place), link.slice(place)];
  return {
    type: 'twilio/text',
    content: { body: text.replace(link, () => `${address}{{1}}`) },
    samples: { 1: 'x'.repeat(token.length) },
    values: { 1: token },
  };
}
