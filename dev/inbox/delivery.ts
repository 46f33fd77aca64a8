import type { MessageStore } from './message-store';
import type { Message, MessageStatus } from './message';
import type { NetworkTiming } from './network-timing';
import { statusFields } from './twilio/status-fields';
import type { WebhookSender } from './webhook-sender';

const rank: Record<MessageStatus, number> = { queued: 0, sent: 1, delivered: 2, undelivered: 2, read: 3, received: 4 };

/** Moves messages to phones through their states and reports each one, in order, to whoever asked. */
export class Delivery {
  readonly #store: MessageStore;
  readonly #sender: WebhookSender;
  readonly #timing: NetworkTiming;
  readonly #accountSid: string;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** The reports of a message that are still on their way: a later one starts after an earlier one was tried. */
  readonly #reports = new Map<string, Promise<void>>();

  constructor(store: MessageStore, sender: WebhookSender, timing: NetworkTiming, accountSid: string) {
    this.#store = store;
    this.#sender = sender;
    this.#timing = timing;
    this.#accountSid = accountSid;
  }

  begin(id: string, failureCode?: number): void {
    this.#after(this.#timing.sentAfterMs, () => this.#advance(id, 'sent'));
    this.#after(this.#timing.deliveredAfterMs, () => {
      if (failureCode === undefined) this.#advance(id, 'delivered');
      else this.#advance(id, 'undelivered', { errorCode: failureCode });
    });
  }

  /** Continues what an earlier run had accepted and not yet delivered. */
  resume(): void {
    for (const message of this.#store.newestFirst()) {
      const underway = message.status === 'queued' || message.status === 'sent';
      if (message.direction === 'outbound' && underway) this.begin(message.id);
    }
  }

  /**
   * Marks a message as looked at. A WhatsApp sender learns of it, after "sent" and "delivered" if those were still to
   * come; SMS and mail know no such report. Resolves when the reports were tried once.
   */
  async read(message: Message): Promise<void> {
    if (message.direction === 'inbound') return;
    const readAt = message.readAt ?? new Date().toISOString();
    if (message.channel === 'sms') {
      if (message.readAt === undefined) this.#store.change(message.id, { readAt });
      return;
    }
    const missing: MessageStatus[] = message.channel === 'email' ? [] : ['sent', 'delivered'];
    for (const status of missing) this.#advance(message.id, status);
    this.#advance(message.id, 'read', { readAt });
    await this.#reports.get(message.id);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #after(delayMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delayMs);
    this.#timers.add(timer);
  }

  #advance(id: string, status: MessageStatus, more: Partial<Message> = {}): void {
    const before = this.#store.find(id);
    if (!before || rank[before.status] >= rank[status]) return;
    const sentAt = before.sentAt ?? new Date().toISOString();
    const message = this.#store.change(id, { ...more, status, sentAt });
    if (message?.statusCallback === undefined) return;
    const { statusCallback } = message;
    const report = (this.#reports.get(id) ?? Promise.resolve())
      .then(() => this.#sender.post(statusCallback, statusFields(message, this.#accountSid)))
      .finally(() => {
        if (this.#reports.get(id) === report) this.#reports.delete(id);
      });
    this.#reports.set(id, report);
  }
}
