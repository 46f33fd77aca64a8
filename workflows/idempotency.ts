import { currentUpdateInfo } from '@temporalio/workflow';
import { type RememberedResponse, rememberResponse, type TransactionState } from '../domain/transactions/state';
import type { CommandResponse, RequestInfo } from './contract/commands';
import { keyPartOf } from './contract/ids';
import { withDetails } from './failures';
import { type LiveTransaction, now } from './live-transaction';

/**
 * Returns a state with the response of the current command. Saved together with the change of the command, the response is as durable as the
 * change. So if a worker dies before Temporal knows the response, a repeat of the command gets it from the record.
 */
export type WithResponse<Output> = (state: TransactionState, output: Output) => TransactionState;

/** The responses of commands by idempotency key. A repeat gets the same response, also in a later workflow run. */
export class Idempotency {
  /**
   * The response of each command of this workflow run, by key. A repeat waits for the same promise. If the caller sent an idempotency key,
   * the entry stays after the command has ended. If not, it is deleted when the command ends.
   */
  readonly #responses = new Map<string, Promise<CommandResponse<unknown>>>();

  constructor(private readonly live: LiveTransaction) {}

  /** Whether the current update repeats a command. A repeat changes nothing, so it needs no decision. */
  isRepeat(): boolean {
    const key = currentKey();
    return this.#responses.has(key) || this.#findRemembered(key) !== undefined;
  }

  /** Runs a command, or returns the response of the earlier command with the same key. */
  async runOnce<Output>(
    request: RequestInfo,
    run: (withResponse: WithResponse<Output>) => Promise<Output>,
    kind: Pick<RememberedResponse, 'analysis'> = {},
  ): Promise<CommandResponse<Output>> {
    const key = currentKey();
    const withResponse: WithResponse<Output> = (state, output) => ({
      ...state,
      responses: [
        ...rememberResponse(state.responses, {
          keyPart: key,
          at: state.changedAt,
          response: { fingerprint: request.fingerprint, output },
          ...kind,
          ...(request.rememberResponse ? {} : { withoutKey: true }),
        }),
      ],
    });
    // A command in progress comes first: its response is in the state before it is durable.
    const response =
      this.#responses.get(key) ?? this.#findRemembered(key) ?? this.#run(key, request, () => run(withResponse), kind);
    return response as Promise<CommandResponse<Output>>;
  }

  #findRemembered(key: string): Promise<CommandResponse<unknown>> | undefined {
    const found = this.live.state.responses.find(({ keyPart }) => keyPart === key);
    return found && Promise.resolve(found.response as CommandResponse<unknown>);
  }

  #run(
    key: string,
    { fingerprint, rememberResponse: isRemembered }: RequestInfo,
    run: () => Promise<unknown>,
    kind: Pick<RememberedResponse, 'analysis'>,
  ): Promise<CommandResponse<unknown>> {
    const responsePromise = run().then(
      (output) => {
        const response = { fingerprint, output };
        if (!isRemembered) this.#responses.delete(key);
        else if (!this.#findRemembered(key))
          this.live.rememberResponses(
            rememberResponse(this.live.state.responses, { keyPart: key, at: now(), response: response, ...kind }),
          );
        return response;
      },
      (error: unknown) => {
        // If the caller sent an idempotency key, this workflow run also remembers an error. Then a repeat gets the same error, and another
        // request with the same key is a conflict.
        if (!isRemembered) this.#responses.delete(key);
        throw withDetails(error, { fingerprint });
      },
    );
    this.#responses.set(key, responsePromise);
    return responsePromise;
  }
}

/** The part of the current update id that stands for the idempotency key. */
const currentKey = () => keyPartOf(currentUpdateInfo()?.id ?? '');
