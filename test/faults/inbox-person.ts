import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { injectedFailureSchema } from '../../dev/inbox/failure-injector';

export type PhoneChannel = 'sms' | 'whatsapp';
export type InboxChannel = PhoneChannel | 'email';

export interface InboxMessage {
  id: string;
  channel: InboxChannel;
  /** A phone in E.164, or a mailbox. */
  to: string;
  from: string;
  text: string;
  /** When the provider accepted it, in ISO 8601. */
  createdAt: string;
}

/** An event that the inbox received as the server of the caller. */
export interface CallerEvent {
  data: { runId: string; event: string };
  /** How often the event arrived. */
  times: number;
}

/** How a person waits for a message. `messageWithinMs` is also the time after which the service has no more work on it. */
export interface Patience {
  pollEveryMs: number;
  messageWithinMs: number;
}

/**
 * Polls are frequent, because tests kill a worker while it waits for the provider's answer. The worker waits at most 2.5 s. Even a retried
 * send arrives within a minute: Temporal notices a dead worker after 10 s, then the next worker looks for the message at the provider.
 */
export const defaultPatience: Patience = { pollEveryMs: 20, messageWithinMs: 60_000 };

/** Acts as every person of the inbox, and makes the simulated provider fail. */
export class InboxPerson {
  constructor(
    private readonly address: string,
    private readonly patience = defaultPatience,
  ) {}

  /** All messages that the provider accepted, newest first. With `filter`, only those to one address or on one channel. */
  readMessages(filter: { to?: string; channel?: InboxChannel } = {}): Promise<InboxMessage[]> {
    return this.#call('GET', `/api/messages?${new URLSearchParams(filter).toString()}`) as Promise<InboxMessage[]>;
  }

  /** Waits for the first message. */
  async waitForMessage(to: string, channel: InboxChannel): Promise<InboxMessage> {
    const { pollEveryMs, messageWithinMs } = this.patience;
    const deadline = Date.now() + messageWithinMs;
    for (;;) {
      const firstMessage = (await this.readMessages({ to, channel })).at(-1);
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
    await this.planFailures([{ channel, kind: 'acceptThenHang', times: 1 }]);
  }

  /** Replaces the planned failures of the provider. An empty list also ends the requests that get no response. */
  async planFailures(failures: readonly z.input<typeof injectedFailureSchema>[]): Promise<void> {
    await this.#call('PUT', '/api/faults', failures);
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
