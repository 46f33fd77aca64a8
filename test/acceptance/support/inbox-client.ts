import { waitUntil } from '../../support/wait-until';

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

/** Reads messages, replies as a person, and plans failures of providers. */
export class InboxClient {
  constructor(readonly address: string) {}

  async readMessages(to: string, channel?: InboxMessage['channel']): Promise<InboxMessage[]> {
    const query = new URLSearchParams({ to, ...(channel && { channel }) });
    return (await this.#call('GET', `messages?${query.toString()}`)) as InboxMessage[];
  }

  /** Waits for a message, and returns the newest message. */
  async waitForNewest(to: string, channel: InboxMessage['channel']): Promise<InboxMessage> {
    const message = await waitUntil(async () => (await this.readMessages(to, channel))[0]);
    return message;
  }

  /** Waits for a message. Throws if the newest message has no code. */
  async waitForCode(to: string, channel: 'sms' | 'email'): Promise<string> {
    const { text } = await this.waitForNewest(to, channel);
    const [code] = /\b\d{6}\b/.exec(text) ?? [];
    if (!code) throw new Error(`There is no code in "${text}"`);
    return code;
  }

  /** `answer`: the link to the question. `deny`: the link that only denies. */
  async waitForLink(to: string, purpose: 'answer' | 'deny' = 'answer'): Promise<string> {
    const { links } = await this.waitForNewest(to, 'email');
    const link = links.filter((candidate) => candidate.includes('/confirm/'))[purpose === 'deny' ? 1 : 0];
    if (!link) throw new Error(`There is no link among ${links.join(' ')}`);
    return link;
  }

  /** The sender gets a status callback. */
  async markAsRead(id: string): Promise<void> {
    await this.#call('POST', `messages/${id}/read`);
  }

  async reply(id: string, reply: { text: string } | { button: number }): Promise<void> {
    await this.#call('POST', `messages/${id}/reply`, reply);
  }

  async planFailures(...failures: object[]): Promise<void> {
    await this.#call('PUT', 'faults', failures);
  }

  /** Failures that no message has used yet. */
  async readPlannedFailures(): Promise<object[]> {
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
