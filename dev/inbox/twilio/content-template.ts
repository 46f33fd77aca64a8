import type { ContentTemplate } from '../content';
import type { Button, PhoneChannel } from '../message';
import { TwilioProblem } from './twilio-problem';

/** Fills a template for a channel. Only WhatsApp has buttons. */
export function renderContent(
  content: ContentTemplate,
  channel: PhoneChannel,
  variablesJson: string | undefined,
): { text: string; buttons?: Button[] } {
  const variables = { ...content.variables, ...parseVariables(variablesJson) };
  const fill = (text: string): string =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => variables[name] ?? placeholder);
  const quickReply = content.types['twilio/quick-reply'];
  const plainText = content.types['twilio/text'];
  if (quickReply && channel === 'whatsapp') {
    const buttons = quickReply.actions.map(({ title, id }) => ({ title: fill(title), payload: fill(id) }));
    return { text: fill(quickReply.body), buttons };
  }
  return { text: fill((plainText ?? quickReply)?.body ?? '') };
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
