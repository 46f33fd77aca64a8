import type { ContentTemplate } from './content';
import { type LogEntry, AppendLog } from './append-log';
import type { Message } from './message';
import type { CallerEvent } from './caller-server/caller-event';
import type { InjectedFailure } from './failure-injector';

/** A change that the store reports to its listeners. */
export type MessageStoreEvent = { kind: 'message' | 'changed'; message: Message } | { kind: 'cleared' };

/** With these limits, the store needs a few tens of megabytes of memory. Older messages and events are deleted. */
const messagesMax = 20_000;
const eventsMax = 5_000;

/** Messages and events in order of arrival, templates and planned failures. Every change is written to the log. */
export class MessageStore {
  readonly #messages = new Map<string, Message>();
  readonly #contents = new Map<string, ContentTemplate>();
  readonly #events = new Map<string, CallerEvent>();
  readonly #webhookSecrets = new Map<string, string>();
  #plannedFailures: readonly InjectedFailure[] = [];
  readonly #listeners = new Set<(event: MessageStoreEvent) => void>();
  readonly #log: AppendLog;

  /** `secret` encrypts the file in the data folder. */
  constructor(dataDir: string | undefined, secret: string) {
    this.#log = new AppendLog(dataDir, secret, () => this.snapshot());
    for (const entry of this.#log.read()) this.#apply(entry);
    this.#log.open();
  }

  add(message: Message): void {
    this.#record({ op: 'message', message });
    this.notifyListeners({ kind: 'message', message });
  }

  /** Changes a message and returns it; undefined when it was deleted. */
  change(id: string, change: Partial<Message>): Message | undefined {
    if (!this.#messages.has(id)) return undefined;
    this.#record({ op: 'change', id, change: { ...change, updatedAt: new Date().toISOString() } });
    const message = this.#messages.get(id);
    if (message) this.notifyListeners({ kind: 'changed', message });
    return message;
  }

  find(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  newestFirst(): Message[] {
    return [...this.#messages.values()].toReversed();
  }

  /** Deletes all messages. Keeps the events. Keeps the templates, because senders store the ids of templates. */
  clear(): void {
    this.#record({ op: 'clear' });
    this.notifyListeners({ kind: 'cleared' });
  }

  addTemplate(content: ContentTemplate): void {
    this.#record({ op: 'content', content });
  }

  findTemplate(sid: string): ContentTemplate | undefined {
    return this.#contents.get(sid);
  }

  templates(): ContentTemplate[] {
    return [...this.#contents.values()];
  }

  /** Stores an event once and counts its repetitions. */
  addEvent(event: Omit<CallerEvent, 'receivedAt' | 'times'>): void {
    const { receivedAt, times } = this.#events.get(keyOf(event)) ?? { receivedAt: new Date().toISOString(), times: 0 };
    this.#record({ op: 'event', event: { ...event, receivedAt, times: times + 1 } });
  }

  /** Sets the secret that signs the events of a tenant. */
  setWebhookSecret(tenant: string, secret: string): void {
    this.#record({ op: 'webhookSecret', tenant, secret });
  }

  findWebhookSecret(tenant: string): string | undefined {
    return this.#webhookSecrets.get(tenant);
  }

  setPlannedFailures(failures: readonly InjectedFailure[]): void {
    this.#record({ op: 'failures', failures });
  }

  plannedFailures(): readonly InjectedFailure[] {
    return this.#plannedFailures;
  }

  eventsNewestFirst(): CallerEvent[] {
    return [...this.#events.values()].toReversed();
  }

  /** Calls the listener on every change until the returned function is called. */
  listen(listener: (event: MessageStoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#log.close();
  }

  #record(entry: LogEntry): void {
    this.#apply(entry);
    this.#log.append(entry);
  }

  notifyListeners(event: MessageStoreEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #apply(entry: LogEntry): void {
    switch (entry.op) {
      case 'message':
        this.#messages.set(entry.message.id, entry.message);
        deleteOldest(this.#messages, messagesMax);
        return;
      case 'change': {
        const message = this.#messages.get(entry.id);
        if (message) this.#messages.set(entry.id, { ...message, ...entry.change });
        return;
      }
      case 'content':
        this.#contents.set(entry.content.sid, entry.content);
        return;
      case 'event':
        this.#events.set(keyOf(entry.event), entry.event);
        deleteOldest(this.#events, eventsMax);
        return;
      case 'webhookSecret':
        this.#webhookSecrets.set(entry.tenant, entry.secret);
        return;
      case 'failures':
        this.#plannedFailures = entry.failures;
        return;
      case 'clear':
        this.#messages.clear();
    }
  }

  /** The entries of all current data. A store that reads these entries has the same data. */
  snapshot(): LogEntry[] {
    return [
      ...this.templates().map((content): LogEntry => ({ op: 'content', content })),
      ...[...this.#messages.values()].map((message): LogEntry => ({ op: 'message', message })),
      ...[...this.#events.values()].map((event): LogEntry => ({ op: 'event', event })),
      { op: 'failures', failures: this.#plannedFailures },
      ...[...this.#webhookSecrets].map(([tenant, secret]): LogEntry => ({ op: 'webhookSecret', tenant, secret })),
    ];
  }
}

/** Event ids are unique per tenant. */
const keyOf = ({ tenant, id }: Pick<CallerEvent, 'tenant' | 'id'>): string => `${tenant} ${id}`;

function deleteOldest(entries: Map<string, unknown>, max: number): void {
  if (entries.size <= max) return;
  for (const id of entries.keys()) {
    entries.delete(id);
    return;
  }
}
