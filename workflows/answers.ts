import { CancellationScope, condition, currentUpdateInfo } from '@temporalio/workflow';
import { withAnswer } from '../domain/with-answer';
import { type Fingerprinted, keyOf, outlivesCancel, type Remembered } from './contract';
import { type Life, now } from './life';
import { stampedWith } from './refusal';

/** What updates were answered, by key: a repeat gets the same, in whatever run of the transaction it comes. */
export class Answers {
  /** Keys of the updates that are carried out. */
  readonly #answering = new Set<string>();
  /** What this run refused, by key: a key that comes with another request is told so, whatever came of the first. */
  readonly #refused = new Map<string, unknown>();

  constructor(private readonly life: Life) {}

  /** Whether the key of the current update was answered already, or is about to be: it is let through to that answer. */
  repeated(): boolean {
    const key = keyOf(currentUpdateInfo()?.id ?? '');
    if (this.#answering.has(key) || this.#refused.has(key)) return true;
    return this.life.state.answers.some((remembered) => remembered.updateId === key);
  }

  /** Answers an update, or gives the remembered answer when its key was answered already. */
  async once<Answer>(
    asked: Fingerprinted,
    answer: () => Promise<Answer>,
    kind: 'act' | 'look' = 'act',
  ): Promise<Remembered<Answer>> {
    const updateId = currentUpdateInfo()?.id ?? '';
    const answered = () => this.#answerOnce(keyOf(updateId), asked, answer, kind);
    // Whoever asked is answered before an operator's cancel ends the transaction: it may have gone out already.
    return outlivesCancel(updateId) ? CancellationScope.nonCancellable(answered) : answered();
  }

  async #answerOnce<Answer>(
    key: string,
    { fingerprint, keyed }: Fingerprinted,
    answer: () => Promise<Answer>,
    kind: 'act' | 'look',
  ): Promise<Remembered<Answer>> {
    while (this.#answering.has(key)) await condition(() => !this.#answering.has(key));
    const known = this.life.state.answers.find((remembered) => remembered.updateId === key);
    if (known) return known.answer as Remembered<Answer>;
    if (this.#refused.has(key)) throw this.#refused.get(key);
    this.#answering.add(key);
    try {
      const given = { fingerprint, answer: await answer().catch(stampedWith(fingerprint)) };
      if (keyed !== false) this.#remember(key, given, kind);
      return given;
    } catch (error) {
      if (keyed !== false) this.#refused.set(key, error);
      throw error;
    } finally {
      this.#answering.delete(key);
    }
  }

  #remember(updateId: string, answer: unknown, kind: 'act' | 'look'): void {
    const remembered = { updateId, at: now(), answer, ...(kind === 'look' ? { look: true as const } : {}) };
    this.life.keepAnswers(withAnswer(this.life.state.answers, remembered));
  }
}
