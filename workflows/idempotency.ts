import { currentUpdateInfo } from '@temporalio/workflow';
import type { RememberedAnswer } from '../domain/state';
import { rememberAnswer } from '../domain/remembered-answers';
import { type CommandAnswer, idempotencyKeyOf, type RequestInfo } from './contract';
import { withFingerprint } from './domain-errors';
import { type LiveTransaction, now } from './live-transaction';

/** The answers of commands by idempotency key: a repeat gets the same answer, also in a later run of the workflow. */
export class Idempotency {
  /** The commands of this workflow run that are in progress, or whose caller sent a key. A repeat waits for the same promise. */
  readonly #answers = new Map<string, Promise<CommandAnswer<unknown>>>();

  constructor(private readonly live: LiveTransaction) {}

  /** Whether the current update repeats a command. A repeat changes nothing, so it needs no precondition. */
  isRepeat(): boolean {
    const key = currentKey();
    return this.#answers.has(key) || this.#findRemembered(key) !== undefined;
  }

  /** Runs a command, or returns the answer of the earlier command with the same key. */
  async runOnce<Output>(
    request: RequestInfo,
    run: () => Promise<Output>,
    kind: Pick<RememberedAnswer, 'analysis'> = {},
  ): Promise<CommandAnswer<Output>> {
    const key = currentKey();
    const answer = this.#findRemembered(key) ?? this.#answers.get(key) ?? this.#run(key, request, run, kind);
    return answer as Promise<CommandAnswer<Output>>;
  }

  #findRemembered(key: string): Promise<CommandAnswer<unknown>> | undefined {
    const found = this.live.state.answers.find(({ updateId }) => updateId === key);
    return found && Promise.resolve(found.answer as CommandAnswer<unknown>);
  }

  #run(
    key: string,
    { fingerprint, repeatable }: RequestInfo,
    run: () => Promise<unknown>,
    kind: Pick<RememberedAnswer, 'analysis'>,
  ): Promise<CommandAnswer<unknown>> {
    const answerPromise = run().then(
      (output) => {
        const answer = { fingerprint, output };
        if (repeatable)
          this.live.rememberAnswers(
            rememberAnswer(this.live.state.answers, { updateId: key, at: now(), answer, ...kind }),
          );
        else this.#answers.delete(key);
        return answer;
      },
      (error: unknown) => {
        // This workflow run remembers an error, too: a repeat gets it again, and another request with the key is a conflict.
        if (!repeatable) this.#answers.delete(key);
        throw withFingerprint(error, fingerprint);
      },
    );
    this.#answers.set(key, answerPromise);
    return answerPromise;
  }
}

const currentKey = () => idempotencyKeyOf(currentUpdateInfo()?.id ?? '');
