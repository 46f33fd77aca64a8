import { setTimeout as sleep } from 'node:timers/promises';

export type PhoneChannel = 'sms' | 'whatsapp';

export interface InboxMessage {
  id: string;
  channel: PhoneChannel;
  to: string;
  text: string;
}

/** An event that the inbox received as the server of the caller. */
export interface CallerEvent {
  data: { runId: string; event: string };
  /** How often the event arrived. */
  times: number;
}

/** Short, because tests kill a worker while it waits for the provider's answer. The worker waits at most 2.5 s. */
const pollEveryMs = 20;

/** Even a retried send arrives within this time. */
const messageWithinMs = 60_000;

/** Acts as every person of the inbox, and makes the simulated provider fail. */
export class InboxPerson {
  constructor(private readonly address: string) {}

  /** All messages that the provider accepted. */
  readMessages(): Promise<InboxMessage[]> {
    return this.#call('GET', '/api/messages') as Promise<InboxMessage[]>;
  }

  /** Waits for the first message. */
  async waitForMessage(phone: string, channel: PhoneChannel): Promise<InboxMessage> {
    const deadline = Date.now() + messageWithinMs;
    const query = new URLSearchParams({ to: phone, channel });
    for (;;) {
      const messages = (await this.#call('GET', `/api/messages?${query.toString()}`)) as InboxMessage[];
      const firstMessage = messages.at(-1);
      if (firstMessage) return firstMessage;
      if (Date.now() > deadline) throw new Error(`no message on ${channel} within ${messageWithinMs / 1_000} s`);
      await sleep(pollEveryMs);
    }
  }

  /** The newest event is first. */
  readCallerEvents(transactionId: string): Promise<CallerEvent[]> {
    const query = new URLSearchParams({ transactionId });
    return this.#call('GET', `/api/caller-events?${query.toString()}`) as Promise<CallerEvent[]>;
  }

  async pressButton(message: InboxMessage, button: number): Promise<void> {
    await this.#call('POST', `/api/messages/${message.id}/reply`, { button });
  }

  /** The next message of the channel (or the next event, for `webhook`) arrives, but its sender gets no response. */
  async loseNextResponse(channel: PhoneChannel | 'webhook'): Promise<void> {
    await this.#call('PUT', '/api/faults', [{ channel, kind: 'acceptThenHang', times: 1 }]);
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.address}${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the inbox returned ${response.status} for ${method} ${path}`);
    return response.json();
  }
}

/** Throws if the message has no code. */
export function readCode({ text }: InboxMessage): string {
  const code = /\b\d{6}\b/.exec(text)?.[0];
  if (!code) throw new Error('the message has no code');
  return code;
}
