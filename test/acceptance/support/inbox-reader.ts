import { waitUntil } from './wait-until';

/** A message of the inbox API. */
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

/** Reads the local phones and mailboxes. */
export class InboxReader {
  constructor(readonly address: string) {}

  async messages(to: string, channel?: InboxMessage['channel']): Promise<InboxMessage[]> {
    const query = new URLSearchParams({ to, ...(channel && { channel }) });
    return (await this.#call('GET', `messages?${query.toString()}`)) as InboxMessage[];
  }

  /** Waits for the newest message to a phone or mailbox. */
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

  /** The link to the hosted page in the newest mail; `forDenial`: the link that denies the request. */
  async link(to: string, forDenial = false): Promise<string> {
    const { links } = await this.newest(to, 'email');
    const link = links.filter((candidate) => candidate.includes('/confirm/'))[forDenial ? 1 : 0];
    if (!link) throw new Error(`There is no link among ${links.join(' ')}`);
    return link;
  }

  /** Marks a WhatsApp message as read, which the sender is notified of. */
  async read(id: string): Promise<void> {
    await this.#call('POST', `messages/${id}/read`);
  }

  async reply(id: string, reply: { text: string } | { button: number }): Promise<void> {
    await this.#call('POST', `messages/${id}/reply`, reply);
  }

  async planFailures(...failures: object[]): Promise<void> {
    await this.#call('PUT', 'faults', failures);
  }

  /** Planned failures that no message has used yet. */
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
    if (!response.ok) throw new Error(`The inbox returned ${response.status} for ${method} ${path}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
