import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Language } from '../../domain/transactions/input';
import type { OutgoingMessage } from './provider';
import type { TwilioClient } from './twilio-client';
import { templateList, type WhatsappApprovals } from './whatsapp-approvals';

/** The names of languages in WhatsApp templates. */
const templateLanguage: Record<Language, string> = { 'pt-BR': 'pt_BR', en: 'en', es: 'es' };

/**
 * How many ids of templates are kept, about 150 bytes each. Flows of callers have texts of their own, so without a limit the ids would fill
 * the memory. An id that is not kept is read again from the provider.
 */
const sidsMax = 10_000;

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
  readonly #sids = new LRUCache<string, string>({ max: sidsMax });

  /** `approvals`: asks WhatsApp to approve a new template. */
  constructor(
    private readonly client: TwilioClient,
    private readonly approvals: Pick<WhatsappApprovals, 'request'>,
  ) {}

  /** The template for a message. Creates it if necessary. Undefined for a message that needs no template. */
  async find(message: OutgoingMessage): Promise<FilledTemplate | undefined> {
    const template = whatsappTemplateOf(message);
    if (!template) return undefined;
    const { settings, language } = message;
    // An edited text needs a new template, because WhatsApp approves each text.
    const textDigest = createHash('sha256')
      .update(JSON.stringify(Object.values(template.content)))
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
    const templates = await this.client.content.v1.contents.list(templateList);
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
    // The message does not wait, because WhatsApp decides later anyway.
    void this.approvals.request({ sid, name, isAuthentication: type === 'whatsapp/authentication' });
    return sid;
  }
}

/** A WhatsApp template as the provider stores it and WhatsApp approves it, and the values of one message. */
export interface WhatsappTemplate {
  type: 'twilio/quick-reply' | 'twilio/text' | 'whatsapp/authentication';
  /** The order of the fields is part of the name of the template. */
  content: { body: string; actions?: readonly object[] } | AuthenticationContent;
  /** A sample value for each variable of the content, by number. */
  samples: Record<string, string>;
  /** The values of this message. */
  values: Record<string, string>;
}

/**
 * A template for codes: https://www.twilio.com/docs/content/whatsappauthentication. WhatsApp writes its text, and replaces its only variable
 * with the code. Twilio offers a button to copy the code. WhatsApp can also fill the code into an Android app, but Twilio does not offer this.
 */
interface AuthenticationContent {
  /** Whether the text asks the person not to share the code. */
  add_security_recommendation: boolean;
  /** Whole minutes from 1 to 90. Absent: the text does not say when the code expires. */
  code_expiration_minutes?: number;
  actions: readonly [{ type: 'COPY_CODE'; copy_code_text: string }];
}

/** The text of the button that copies the code. WhatsApp allows 24 characters. */
const copyButton: Record<Language, string> = { 'pt-BR': 'Copiar código', en: 'Copy code', es: 'Copiar código' };

function authenticationTemplate({ settings, language }: OutgoingMessage, code: string): WhatsappTemplate {
  const { codeMinutes } = settings;
  return {
    type: 'whatsapp/authentication',
    content: {
      add_security_recommendation: true,
      ...(codeMinutes === undefined ? {} : { code_expiration_minutes: codeMinutes }),
      actions: [{ type: 'COPY_CODE', copy_code_text: copyButton[language] }],
    },
    samples: { 1: '0'.repeat(code.length) },
    values: { 1: code },
  };
}

/** The WhatsApp template of a message; undefined for a message that is sent as plain text. */
export function whatsappTemplateOf(message: OutgoingMessage): WhatsappTemplate | undefined {
  const { settings, language, text, content } = message;
  if (content.kind === 'biometricsResult')
    return { type: 'twilio/text', content: { body: text }, samples: {}, values: {} };
  if (content.kind === 'token') return authenticationTemplate(message, content.code);
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
