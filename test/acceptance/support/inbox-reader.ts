import { waitUntil } from './until';

/** A message as DESIGN section 6 has it. */
export interface InboxMessage {
  id: string;
  channel: 'sms' | 'whatsapp' | 'email';
  to: string;
  subject?: string;
  text: string;
  html?: string;
  links: string[];
  buttons?: { option: number; title: string }[];
  status: string;
}

/** The phones and mailboxes, held by a person. */
export class InboxReader {
  constructor(readonly address: string) {}

  async messages(to: string, channel?: InboxMessage['channel']): Promise<InboxMessage[]> {
    const query = new URLSearchParams({ to, ...(channel && { channel }) });
    return (await this.#call('GET', `messages?${query.toString()}`)) as InboxMessage[];
  }

  /** The newest message to a phone or mailbox, as soon as there is one. */
  async newest(to: string, channel: InboxMessage['channel']): Promise<InboxMessage> {
    const message = await waitUntil(async () => (await this.messages(to, channel))[0]);
    return message;
  }

  /** The code in the newest message. */
  async code(to: string, channel: 'sms' | 'email'): Promise<string> {
    const { text } = await this.newest(to, channel);
    const [code] = /\b\d{6}\b/.exec(text) ?? [];
    if (!code) throw new Error(`There is no code in "${text}"`);
    return code;
  }

  /** The link to the hosted page in the newest mail; `denies`: the one for a person who did not ask for the code. */
  async link(to: string, forDenial = false): Promise<string> {
    const { links } = await this.newest(to, 'email');
    const link = links.filter((candidate) => candidate.includes('/confirm/'))[forDenial ? 1 : 0];
    if (!link) throw new Error(`There is no link among ${links.join(' ')}`);
    return link;
  }

  /** Looks at a WhatsApp message, of which the sender learns. */
  async read(id: string): Promise<void> {
    await this.#call('POST', `messages/${id}/read`);
  }

  async reply(id: string, reply: { text: string } | { button: number }): Promise<void> {
    await this.#call('POST', `messages/${id}/reply`, reply);
  }

  async planFailures(...failures: object[]): Promise<void> {
    await this.#call('PUT', 'faults', failures);
  }

  /** Failures that nobody has met yet. */
  async plannedFailures(): Promise<object[]> {
    return (await this.#call('GET', 'faults')) as object[];
  }

  async clearFailures(): Promise<void> {
    await this.#call('DELETE', 'faults');
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const json =
      body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${this.address}/api/${path}`, { method, ...json });
    const text = await response.text();
    if (!response.ok) throw new Error(`The inbox answered ${response.status} to ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
