import type { MessageStore } from './message-store';
import type { Message, MessageStatus } from './message';
import type { NetworkTiming } from './network-timing';
import { gatewayReportOf } from './gateways/reports';
import { statusFields } from './twilio/status-fields';
import type { CallbackSender } from './callback-sender';

/** The order of the statuses. The status of a message never changes to a status with the same or a lower number. */
export const statusRank: Record<MessageStatus, number> = {
  queued: 0,
  sent: 1,
  delivered: 2,
  undelivered: 2,
  read: 3,
  received: 4,
  initiated: 1,
  ringing: 2,
  'in-progress': 3,
  completed: 4,
  busy: 4,
  'no-answer': 4,
};

/** Changes the status of messages as a network would, and sends status callbacks in order. */
export class Delivery {
  readonly #store: MessageStore;
  readonly #sender: CallbackSender;
  readonly #timing: NetworkTiming;
  readonly #accountSid: string;
  readonly #timers = new Set<NodeJS.Timeout>();
  /**
   * By message id: a promise that resolves when the first attempt of the newest status callback of this message has ended. The next
   * callback of the same message waits for this promise.
   */
  readonly #callbacks = new Map<string, Promise<void>>();

  constructor(store: MessageStore, sender: CallbackSender, timing: NetworkTiming, accountSid: string) {
    this.#store = store;
    this.#sender = sender;
    this.#timing = timing;
    this.#accountSid = accountSid;
  }

  /**
   * Delivers a message after the delays of the network. With `failureCode`, an error code of the provider, the message ends as undelivered.
   */
  start(id: string, failureCode?: number): void {
    this.#schedule(this.#timing.sentAfterMs, () => this.#advance(id, 'sent'));
    this.#schedule(this.#timing.deliveredAfterMs, () => {
      if (failureCode === undefined) this.#advance(id, 'delivered');
      else this.#advance(id, 'undelivered', { errorCode: failureCode });
    });
  }

  /** Continues the deliveries that were pending when the inbox stopped. */
  resume(): void {
    for (const message of this.#store.newestFirst()) {
      const isPending = message.status === 'queued' || message.status === 'sent';
      if (message.direction === 'outbound' && isPending && !message.call) this.start(message.id);
    }
  }

  /**
   * Marks a message as read. Only WhatsApp reports this to the sender. If "sent" and "delivered" were not reported yet, they are
   * reported first. Resolves after the first attempt of the callbacks.
   */
  async markAsRead(message: Message): Promise<void> {
    if (message.direction === 'inbound') return;
    const readAt = message.readAt ?? new Date().toISOString();
    if (message.channel === 'sms' || message.channel === 'voice') {
      if (message.readAt === undefined) this.#store.change(message.id, { readAt });
      return;
    }
    const earlierStatuses: MessageStatus[] = message.channel === 'email' ? [] : ['sent', 'delivered'];
    for (const status of earlierStatuses) this.#advance(message.id, status);
    this.#advance(message.id, 'read', { readAt });
    await this.#callbacks.get(message.id);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  async #report(message: Message, url: string): Promise<void> {
    if (message.gateway === undefined) return this.#sender.post(url, statusFields(message, this.#accountSid));
    const report = gatewayReportOf(message.gateway, message);
    if (report) await this.#sender.postJson(url, report);
  }

  #schedule(delayMs: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, delayMs);
    this.#timers.add(timer);
  }

  /**
   * Changes the status of a message, and reports the status to the sender. Does nothing if the message already has this status or a later
   * one.
   */
  #advance(id: string, status: MessageStatus, changes: Partial<Message> = {}): void {
    const previous = this.#store.find(id);
    if (!previous || statusRank[previous.status] >= statusRank[status]) return;
    const sentAt = previous.sentAt ?? new Date().toISOString();
    const message = this.#store.change(id, { ...changes, status, sentAt });
    if (message?.statusCallback === undefined) return;
    const { statusCallback } = message;
    const callback = (this.#callbacks.get(id) ?? Promise.resolve())
      .then(() => this.#report(message, statusCallback))
      .finally(() => {
        if (this.#callbacks.get(id) === callback) this.#callbacks.delete(id);
      });
    this.#callbacks.set(id, callback);
  }
}
