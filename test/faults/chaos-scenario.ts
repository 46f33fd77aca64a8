import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld } from './chaos-world';
import { type Actors, type ConfirmationName, confirmationActions } from './confirmation-actions';
import { expectStatus } from './retrying-caller';

export interface ChaosScenarioPlan {
  confirmation: ConfirmationName;
  /**
   * `immediately`: when the message arrives. `after the response`: after the API has answered the request for the confirmation. `when
   * idle`: when Temporal has no open work for the transaction.
   */
  answerTime: 'immediately' | 'after the response' | 'when idle';
  /** Called before the person answers. */
  onMessage?: () => void;
}

/** One person and one confirmation, from the first request to the last response. */
export class ChaosScenario {
  readonly phone: string;
  transactionId = '';
  /** When the caller first requested the confirmation. */
  requestedAtMs = Number.NaN;
  /** The first kill of the worker during this scenario. */
  killedAtMs: number | undefined;
  finishedAtMs: number | undefined;
  failure: string | undefined;
  readonly #phoneNumber: ReturnType<ChaosWorld['nextPhone']>;

  constructor(
    private readonly world: ChaosWorld,
    private readonly plan: ChaosScenarioPlan,
  ) {
    this.#phoneNumber = world.nextPhone();
    this.phone = this.#phoneNumber.e164;
  }

  /** Must be called after each kill of the worker. */
  recordKill(): void {
    if (this.finishedAtMs === undefined) this.killedAtMs ??= Date.now();
  }

  /** Never rejects: see `failure`. */
  run(): Promise<void> {
    return this.#recordFailure(async () => {
      await this.#create();
      await this.#confirm();
    });
  }

  /** Also checks the final status of the confirmation. */
  waitUntilIdle(): Promise<void> {
    return this.#recordFailure(async () => {
      if (this.transactionId) await this.world.waitUntilIdle(this.transactionId);
      if (this.failure !== undefined) return;
      const { finalStatus, readStatus } = confirmationActions[this.plan.confirmation];
      const status = await readStatus(this.#actors);
      if (status !== finalStatus) throw new Error(`the result is ${status} instead of ${finalStatus}`);
    });
  }

  async #recordFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failure ??= error instanceof Error ? error.message : String(error);
    }
  }

  get #actors(): Actors {
    const { caller, person } = this.world;
    return { caller, person, path: `/v1/transaction/${this.transactionId}`, keySuffix: this.phone };
  }

  async #create(): Promise<void> {
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phoneNumber.fields };
    const createResponse = await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body);
    this.transactionId = (expectStatus(201, createResponse).body as { id: string }).id;
  }

  async #confirm(): Promise<void> {
    const { caller, person } = this.world;
    const actions = confirmationActions[this.plan.confirmation];
    const sendRequest = () => caller.post(`${this.#actors.path}/${actions.path}`, `ask-${this.phone}`);
    this.requestedAtMs = Date.now();
    const responsePromise = sendRequest();
    // Otherwise, an error before the `await` below would be an unhandled rejection.
    responsePromise.catch(() => undefined);
    const message = await person.waitForMessage(this.phone, actions.channel);
    this.plan.onMessage?.();
    if (this.plan.answerTime !== 'immediately') await responsePromise;
    if (this.plan.answerTime === 'when idle') await this.world.waitUntilIdle(this.transactionId);
    await actions.answer(this.#actors, message);
    const response = expectStatus(201, await responsePromise);
    this.finishedAtMs = Date.now();
    const repeatResponse = await sendRequest();
    if (isDeepStrictEqual(repeatResponse, response)) return;
    throw new Error(`a repeat returned ${JSON.stringify(repeatResponse)} after ${JSON.stringify(response)}`);
  }
}
