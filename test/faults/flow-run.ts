import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld } from './chaos-world';
import { type Actors, type FlowName, flowActions } from './flow-ways';
import { expectStatus } from './patient-caller';

export interface FlowPlan {
  flow: FlowName;
  /** When the person answers: as soon as the message is there, when the caller was told, or when nothing is under way. */
  answers: 'at once' | 'when told' | 'when settled';
  /** Called at the instant at which the message is on the phone. */
  onMessage?: () => void;
}

/** One person taken through one confirmation, from the first request to the last answer. */
export class FlowRun {
  readonly phone: string;
  transactionId = '';
  /** The first kill that came while the flow was under way. */
  killedAtMs: number | undefined;
  finishedAtMs: number | undefined;
  /** Why the flow did not end as it should. */
  failure: string | undefined;
  readonly #phoneNumber: ReturnType<ChaosWorld['nextPhone']>;

  constructor(
    private readonly world: ChaosWorld,
    private readonly plan: FlowPlan,
  ) {
    this.#phoneNumber = world.nextPhone();
    this.phone = this.#phoneNumber.dialed;
  }

  recordKill(): void {
    if (this.finishedAtMs === undefined) this.killedAtMs ??= Date.now();
  }

  /** Takes the flow to its end. Never rejects: a flow that fails says so. */
  run(): Promise<void> {
    return this.#orFailure(async () => {
      await this.#create();
      await this.#confirm();
    });
  }

  /** Waits until nothing of the flow is under way, and reads how it ended. */
  waitUntilIdle(): Promise<void> {
    return this.#orFailure(async () => {
      if (this.transactionId) await this.world.waitUntilIdle(this.transactionId);
      if (this.failure !== undefined) return;
      const { endsAs, readStatus } = flowActions[this.plan.flow];
      const status = await readStatus(this.#actors);
      if (status !== endsAs) throw new Error(`it ended as ${status} instead of ${endsAs}`);
    });
  }

  async #orFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.failure ??= error instanceof Error ? error.message : String(error);
    }
  }

  get #actors(): Actors {
    const { caller, person } = this.world;
    return { caller, person, path: `/v1/transaction/${this.transactionId}`, key: this.phone };
  }

  async #create(): Promise<void> {
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phoneNumber.fields };
    const created = await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body);
    this.transactionId = (expectStatus(201, created).body as { id: string }).id;
  }

  async #confirm(): Promise<void> {
    const { caller, person } = this.world;
    const actions = flowActions[this.plan.flow];
    const ask = () => caller.post(`${this.#actors.path}/${actions.path}`, `ask-${this.phone}`);
    const request = ask();
    // Awaited below; meanwhile the person acts.
    request.catch(() => undefined);
    const message = await person.awaitMessage(this.phone, actions.channel);
    this.plan.onMessage?.();
    if (this.plan.answers !== 'at once') await request;
    if (this.plan.answers === 'when settled') await this.world.waitUntilIdle(this.transactionId);
    await actions.answer(this.#actors, message);
    const response = expectStatus(201, await request);
    this.finishedAtMs = Date.now();
    const again = await ask();
    if (isDeepStrictEqual(again, response)) return;
    throw new Error(`a repeat was answered ${JSON.stringify(again)} after ${JSON.stringify(response)}`);
  }
}
