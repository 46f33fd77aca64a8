import { currentUpdateInfo } from '@temporalio/workflow';
import type { RememberedAnswer } from '../domain/state';
import { rememberAnswer } from '../domain/remembered-answers';
import { type Answered, keyOf, type RequestInfo } from './contract';
import { withFingerprint } from './domain-errors';
import { type LiveTransaction, now } from './live-transaction';

/** What commands answered, by key: a repeat gets the same, in whatever run of the workflow it comes. */
export class Idempotency {
  /** Commands of this run: those under way, and those whose caller gave a key. A repeat waits for the same promise. */
  readonly #answers = new Map<string, Promise<Answered<unknown>>>();

  constructor(private readonly live: LiveTransaction) {}

  /** Whether the current update repeats a command that has run, or runs: it needs no check, because it changes nothing. */
  isRepeat(): boolean {
    const key = currentKey();
    return this.#answers.has(key) || this.#remembered(key) !== undefined;
  }

  /** Runs a command, or gives the answer of the one that had the same key. */
  async once<Output>(
    request: RequestInfo,
    run: () => Promise<Output>,
    kind: Pick<RememberedAnswer, 'analysis'> = {},
  ): Promise<Answered<Output>> {
    const key = currentKey();
    const known = this.#remembered(key) ?? this.#answers.get(key) ?? this.#run(key, request, run, kind);
    return known as Promise<Answered<Output>>;
  }

  #remembered(key: string): Promise<Answered<unknown>> | undefined {
    const found = this.live.state.answers.find(({ updateId }) => updateId === key);
    return found && Promise.resolve(found.answer as Answered<unknown>);
  }

  #run(
    key: string,
    { fingerprint, repeatable }: RequestInfo,
    run: () => Promise<unknown>,
    kind: Pick<RememberedAnswer, 'analysis'>,
  ): Promise<Answered<unknown>> {
    const answering = run().then(
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
        // An error stays for this run: a repeat is told it again, and another request that its key was used.
        if (!repeatable) this.#answers.delete(key);
        throw withFingerprint(error, fingerprint);
      },
    );
    this.#answers.set(key, answering);
    return answering;
  }
}

const currentKey = () => keyOf(currentUpdateInfo()?.id ?? '');
