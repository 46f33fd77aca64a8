import { createHash } from 'node:crypto';
import type { Language } from '../../domain/language';
import type { OutgoingMessage } from './channel';
import type { TwilioClient } from './twilio-client';

type ContentRequest = Parameters<TwilioClient['content']['v1']['contents']['create']>[0];

const templateLanguage: Record<Language, string> = { 'pt-BR': 'pt_BR', en: 'en', es: 'es' };

/** The greatest page that the provider gives: most accounts fit into one. */
const pageSize = 500;
/** Past this many templates a second one of the same name is made, which does no harm. */
const lookedThrough = 5_000;

/** Templates of WhatsApp messages with buttons, each made once per text and found again by its name. */
export class QuickReplyTemplates {
  readonly #sids = new Map<string, string>();

  constructor(private readonly client: TwilioClient) {}

  /** Id of the template of a message, or undefined for one without answers to choose from. */
  async find({ flow, language, text }: OutgoingMessage): Promise<string | undefined> {
    if (flow.kind !== 'secondFactor' || !flow.options?.length) return undefined;
    const actions = flow.options.map(({ option, label }) => ({
      type: 'QUICK_REPLY',
      id: String(option),
      title: label[language],
    }));
    // An edited text is another template: messaging apps approve each wording by itself.
    const wording = createHash('sha256')
      .update(JSON.stringify([text, actions]))
      .digest('hex')
      .slice(0, 12);
    const name = `${flow.name}_${templateLanguage[language]}_${wording}`;
    const sid = this.#sids.get(name) ?? (await this.#look(name)) ?? (await this.#make(name, language, text, actions));
    this.#sids.set(name, sid);
    return sid;
  }

  async #look(name: string): Promise<string | undefined> {
    const known = await this.client.content.v1.contents.list({ pageSize, limit: lookedThrough });
    return known.find((content) => content.friendlyName === name)?.sid;
  }

  async #make(name: string, language: Language, body: string, actions: object[]): Promise<string> {
    // The SDK sends this object as it is, so it carries the names of the API and not those of the SDK's type.
    const request = {
      friendly_name: name,
      language: templateLanguage[language],
      variables: {},
      types: { 'twilio/quick-reply': { body, actions } },
    };
    const { sid } = await this.client.content.v1.contents.create(request as unknown as ContentRequest);
    if (!sid) throw new Error('The provider gave no id for a new template.');
    return sid;
  }
}
