import { createHash } from 'node:crypto';
import type { Language } from '../../domain/person';
import type { OutgoingMessage } from './channel';
import { type WhatsappTemplate, whatsappTemplateOf } from './whatsapp-template';
import type { TwilioClient } from './twilio-client';

/** The names of languages in WhatsApp templates. */
const templateLanguage: Record<Language, string> = { 'pt-BR': 'pt_BR', en: 'en', es: 'es' };

/** The largest page of templates that Twilio returns. The templates of most accounts fit into one page. */
const pageSize = 500;
/** How many templates are read at most. If an account has more, a template may be created twice with the same name, which does no harm. */
const templatesReadMax = 5_000;

/** A template to send, and the values of its variables in the provider's format. */
export interface FilledTemplate {
  contentSid: string;
  contentVariables?: string;
}

/**
 * The WhatsApp templates in the account at Twilio, one per text. The name of a template contains a digest of its text. By this name, a
 * later message with the same text finds the template.
 */
export class WhatsappTemplates {
  readonly #sids = new Map<string, string>();

  constructor(private readonly client: TwilioClient) {}

  /** The template for a message. Creates it if necessary. Undefined for a message that needs no template. */
  async find(message: OutgoingMessage): Promise<FilledTemplate | undefined> {
    const template = whatsappTemplateOf(message);
    if (!template) return undefined;
    const { settings, language } = message;
    const { body, actions } = template.content;
    // An edited text needs a new template, because WhatsApp approves each text.
    const textDigest = createHash('sha256')
      .update(JSON.stringify(actions ? [body, actions] : [body]))
      .digest('hex')
      .slice(0, 12);
    const name = `${settings.name}_${templateLanguage[language]}_${textDigest}`;
    const contentSid =
      this.#sids.get(name) ?? (await this.#findSid(name)) ?? (await this.#create(name, language, template));
    this.#sids.set(name, contentSid);
    const { values } = template;
    return Object.keys(values).length > 0 ? { contentSid, contentVariables: JSON.stringify(values) } : { contentSid };
  }

  async #findSid(name: string): Promise<string | undefined> {
    const templates = await this.client.content.v1.contents.list({ pageSize, limit: templatesReadMax });
    return templates.find((content) => content.friendlyName === name)?.sid;
  }

  async #create(name: string, language: Language, { type, content, samples }: WhatsappTemplate): Promise<string> {
    // The SDK sends this object unchanged. So the fields have the names of Twilio's HTTP API, not the names in the type of the SDK.
    const request = {
      friendly_name: name,
      language: templateLanguage[language],
      variables: samples,
      types: { [type]: content },
    };
    const { sid } = await this.client.content.v1.contents.create(request);
    if (!sid) throw new Error('The provider returned no id for a new template.');
    return sid;
  }
}
