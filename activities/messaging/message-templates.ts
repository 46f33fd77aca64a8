import { createHash } from 'node:crypto';
import type { Language } from '../../domain/language';
import type { OutgoingMessage } from './channel';
import { type Template, templateOf } from './template-of';
import type { TwilioClient } from './twilio-client';

const templateLanguage: Record<Language, string> = { 'pt-BR': 'pt_BR', en: 'en', es: 'es' };

/** The greatest page that the provider gives: most accounts fit into one. */
const pageSize = 500;
/** Past this many templates a second one of the same name is made, which does no harm. */
const lookedThrough = 5_000;

/** A template to send, and the values of its variables as the provider takes them. */
export interface TemplateUse {
  contentSid: string;
  contentVariables?: string;
}

/** Templates of WhatsApp messages, each made once per wording and found again by its name. */
export class MessageTemplates {
  readonly #sids = new Map<string, string>();

  constructor(private readonly client: TwilioClient) {}

  /** What to send of a template, or undefined for a message that has none. */
  async find(message: OutgoingMessage): Promise<TemplateUse | undefined> {
    const template = templateOf(message);
    if (!template) return undefined;
    const { flow: settings, language } = message;
    const { body, actions } = template.content;
    // An edited text is another template: messaging apps approve each wording by itself.
    const wording = createHash('sha256')
      .update(JSON.stringify(actions ? [body, actions] : [body]))
      .digest('hex')
      .slice(0, 12);
    const name = `${settings.name}_${templateLanguage[language]}_${wording}`;
    const contentSid = this.#sids.get(name) ?? (await this.#look(name)) ?? (await this.#make(name, language, template));
    this.#sids.set(name, contentSid);
    const { values } = template;
    return Object.keys(values).length > 0 ? { contentSid, contentVariables: JSON.stringify(values) } : { contentSid };
  }

  async #look(name: string): Promise<string | undefined> {
    const known = await this.client.content.v1.contents.list({ pageSize, limit: lookedThrough });
    return known.find((content) => content.friendlyName === name)?.sid;
  }

  async #make(name: string, language: Language, { type, content, samples }: Template): Promise<string> {
    // The SDK sends this object as it is, so it carries the names of the API and not those of the SDK's type.
    const request = {
      friendly_name: name,
      language: templateLanguage[language],
      variables: samples,
      types: { [type]: content },
    };
    const { sid } = await this.client.content.v1.contents.create(request);
    if (!sid) throw new Error('The provider gave no id for a new template.');
    return sid;
  }
}
