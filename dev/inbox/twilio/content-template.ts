import type { ContentTemplate } from '../content';
import type { Button, CopyButton, PhoneChannel } from '../message';
import { TwilioProblem } from './twilio-problem';

/** Fills a template for a channel. Only WhatsApp has buttons. */
export function renderContent(
  content: ContentTemplate,
  channel: PhoneChannel,
  variablesJson: string | undefined,
): { text: string; buttons?: Button[]; copyButton?: CopyButton } {
  const variables = { ...content.variables, ...parseVariables(variablesJson) };
  const fill = (text: string): string =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => variables[name] ?? placeholder);
  const authentication = content.types['whatsapp/authentication'];
  if (authentication) return renderAuthentication(authentication, channel, content.language, variables['1'] ?? '');
  const quickReply = content.types['twilio/quick-reply'];
  const plainText = content.types['twilio/text'];
  if (quickReply && channel === 'whatsapp') {
    const buttons = quickReply.actions.map(({ title, id }) => ({ title: fill(title), payload: fill(id) }));
    return { text: fill(quickReply.body), buttons };
  }
  return { text: fill((plainText ?? quickReply)?.body ?? '') };
}

/** What WhatsApp writes around a code, by the language of the template: the text, and how to protect the code. */
const authenticationTexts: Record<string, { body: string; advice: string; expiry: string }> = {
  en: {
    body: '{{code}} is your verification code.',
    advice: 'For your security, do not share this code.',
    expiry: 'This code expires in {{minutes}} minutes.',
  },
  pt_BR: {
    body: '{{code}} é seu código de verificação.',
    advice: 'Para sua segurança, não o compartilhe.',
    expiry: 'Este código expira em {{minutes}} minutos.',
  },
  es: {
    body: '{{code}} es tu código de verificación.',
    advice: 'Por tu seguridad, no lo compartas.',
    expiry: 'Este código caduca en {{minutes}} minutos.',
  },
};

/** A code on WhatsApp. WhatsApp writes its text, and rejects codes with more than 15 characters. */
function renderAuthentication(
  template: NonNullable<ContentTemplate['types']['whatsapp/authentication']>,
  channel: PhoneChannel,
  language: string,
  code: string,
): { text: string; copyButton: CopyButton } {
  const texts = authenticationTexts[language];
  if (channel !== 'whatsapp' || !texts || !/^[\w-]{1,15}$/.test(code))
    throw new TwilioProblem(400, 21656, 'The ContentVariables Parameter is invalid');
  const { add_security_recommendation: hasAdvice, code_expiration_minutes: minutes, actions } = template;
  const sentences = [
    texts.body,
    ...(hasAdvice ? [texts.advice] : []),
    ...(minutes === undefined ? [] : [texts.expiry]),
  ];
  const text = sentences.join(' ').replace('{{code}}', code).replace('{{minutes}}', String(minutes));
  return { text, copyButton: { title: actions[0]?.copy_code_text ?? '', code } };
}

function parseVariables(json: string | undefined): Record<string, string> {
  if (json === undefined || json === '') return {};
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
    }
  } catch {
    // Text that is not JSON gets the error below.
  }
  throw new TwilioProblem(400, 21656, 'The ContentVariables Parameter is invalid');
}
