import type { CallbackSender } from '../callback-sender';
import { statusRank } from '../delivery';
import type { CallDetails, CallStatus, Message } from '../message';
import type { MessageStore } from '../message-store';
import type { NetworkTiming } from '../network-timing';
import { callFields, callStatusFields } from './call-fields';
import { readTwiml } from './read-twiml';

/** What the person can do with a call that rings, or that says something. */
export const callActions = ['answer', 'decline', 'ignore', 'machine', 'press', 'hangUp'] as const;
export type CallAction = (typeof callActions)[number];

/** The event of Twilio for each status. A sender gets only the events that it wants. */
const eventOf = (status: CallStatus): string =>
  status === 'initiated' || status === 'ringing' ? status : status === 'in-progress' ? 'answered' : 'completed';

/** What Twilio says if the sender does not say what to say. */
const applicationError = 'We are sorry, an application error has occurred. Goodbye.';

/** Makes calls as a network would: rings, lets the person answer, says what the sender wants, and sends status callbacks in order. */
export class Calls {
  /** Whether each call is answered by a person at once. If not, it rings until somebody acts. */
  answersAtOnce = true;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** By call id: a promise that resolves when the newest callback of the call was sent. The next callback waits for it. */
  readonly #callbacks = new Map<string, Promise<void>>();

  constructor(
    private readonly store: MessageStore,
    private readonly sender: CallbackSender,
    private readonly timing: NetworkTiming,
    private readonly accountSid: string,
  ) {}

  /** Calls the person. With `failureCode`, nobody answers. */
  start(id: string, failureCode?: number): void {
    this.#advance(id, 'initiated');
    this.#advance(id, 'ringing');
    if (failureCode !== undefined) this.#later(id, this.timing.answeredAfterMs, () => this.#end(id, 'no-answer'));
    else if (this.answersAtOnce) this.#later(id, this.timing.answeredAfterMs, () => void this.#answer(id, 'human'));
    else this.#later(id, 1_000 * (this.store.find(id)?.call?.ringSeconds ?? 60), () => this.#end(id, 'no-answer'));
  }

  /** Calls again where the inbox stopped during a call. */
  resume(): void {
    for (const { id, call, status } of this.store.newestFirst()) {
      if (!call || statusRank[status] === statusRank.completed) continue;
      if (status === 'in-progress') this.#later(id, this.timing.hungUpAfterMs, () => this.#end(id, 'completed'));
      else this.start(id);
    }
  }

  /** Does what the person does. Returns false if the call is not in a state in which this is possible. */
  async act({ id, status, call }: Message, action: CallAction): Promise<boolean> {
    const isRinging = call !== undefined && statusRank[status] < statusRank['in-progress'];
    const isAnswered = status === 'in-progress';
    if (action === 'answer' || action === 'machine') {
      if (!isRinging) return false;
      await this.#answer(id, action === 'answer' ? 'human' : 'machine_start');
    } else if (action === 'press') {
      if (!isAnswered || call?.keyUrl === undefined) return false;
      await this.#say(id, call.keyUrl, { Digits: '1' });
    } else if (action === 'hangUp') {
      if (!isAnswered) return false;
      this.#end(id, 'completed');
    } else {
      if (!isRinging) return false;
      this.#end(id, action === 'decline' ? 'busy' : 'no-answer');
    }
    return true;
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  async #answer(id: string, answeredBy: NonNullable<CallDetails['answeredBy']>): Promise<void> {
    const call = this.store.find(id)?.call;
    if (!call || !this.#advance(id, 'in-progress', { call: { ...call, answeredBy } })) return;
    await this.#say(id, call.url);
  }

  /** Asks the sender what to say, and says it. A call that says nothing more ends later, unless the person hangs up. */
  async #say(id: string, url: string, extraFields: Record<string, string> = {}): Promise<void> {
    const message = this.store.find(id);
    if (!message?.call) return;
    const fields = { ...callFields(message, this.accountSid), ...extraFields };
    const spoken = await this.sender.ask(url, fields).then(readTwiml, () => ({ text: applicationError }));
    const current = this.store.find(id);
    if (!current?.call) return;
    const { keyUrl: _, ...call } = current.call;
    const text = [current.text, spoken.text].filter((part) => part !== '').join('\n');
    this.store.change(id, { text, call: { ...call, ...('keyUrl' in spoken ? { keyUrl: spoken.keyUrl } : {}) } });
    if (spoken.text === '') this.#end(id, 'completed');
    else this.#later(id, this.timing.hungUpAfterMs, () => this.#end(id, 'completed'));
  }

  #end(id: string, status: 'completed' | 'busy' | 'no-answer'): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#advance(id, status);
  }

  /** Does something later, instead of what was planned for the call before. */
  #later(id: string, delayMs: number, action: () => void): void {
    clearTimeout(this.#timers.get(id));
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      action();
    }, delayMs);
    this.#timers.set(id, timer);
  }

  /** Changes the status of a call, and reports it to the sender. Returns false if the call has this status or a later one. */
  #advance(id: string, status: CallStatus, changes: Partial<Message> = {}): boolean {
    const previous = this.store.find(id);
    if (!previous || statusRank[previous.status] >= statusRank[status]) return false;
    const message = this.store.change(id, { ...changes, status });
    if (message?.call?.events.includes(eventOf(status)) && message.statusCallback !== undefined) {
      const { statusCallback } = message;
      const fields = callStatusFields(message, this.accountSid, statusRank[status] - 1);
      const callback = (this.#callbacks.get(id) ?? Promise.resolve())
        .then(() => this.sender.post(statusCallback, fields))
        .finally(() => {
          if (this.#callbacks.get(id) === callback) this.#callbacks.delete(id);
        });
      this.#callbacks.set(id, callback);
    }
    return true;
  }
}
