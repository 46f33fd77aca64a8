import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld } from './chaos-world';
import { type Actors, type FlowName, flowWays } from './flow-ways';
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
  hitAtMs: number | undefined;
  finishedAtMs: number | undefined;
  /** Why the flow did not end as it should. */
  failure: string | undefined;
  readonly #given: ReturnType<ChaosWorld['nextPhone']>;

  constructor(
    private readonly world: ChaosWorld,
    private readonly plan: FlowPlan,
  ) {
    this.#given = world.nextPhone();
    this.phone = this.#given.dialed;
  }

  noteKill(): void {
    if (this.finishedAtMs === undefined) this.hitAtMs ??= Date.now();
  }

  /** Takes the flow to its end. Never rejects: a flow that fails says so. */
  run(): Promise<void> {
    return this.#orFailure(async () => {
      await this.#create();
      await this.#confirm();
    });
  }

  /** Waits until nothing of the flow is under way, and reads how it ended. */
  rest(): Promise<void> {
    return this.#orFailure(async () => {
      if (this.transactionId) await this.world.awaitRest(this.transactionId);
      if (this.failure !== undefined) return;
      const { endsAs, readStatus } = flowWays[this.plan.flow];
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
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#given.fields };
    const created = await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body);
    this.transactionId = (expectStatus(201, created).body as { id: string }).id;
  }

  async #confirm(): Promise<void> {
    const { caller, person } = this.world;
    const way = flowWays[this.plan.flow];
    const ask = () => caller.post(`${this.#actors.path}/${way.path}`, `ask-${this.phone}`);
    const asking = ask();
    // Awaited below; meanwhile the person acts.
    asking.catch(() => undefined);
    const message = await person.awaitMessage(this.phone, way.channel);
    this.plan.onMessage?.();
    if (this.plan.answers !== 'at once') await asking;
    if (this.plan.answers === 'when settled') await this.world.awaitRest(this.transactionId);
    await way.answer(this.#actors, message);
    const asked = expectStatus(201, await asking);
    this.finishedAtMs = Date.now();
    const again = await ask();
    if (isDeepStrictEqual(again, asked)) return;
    throw new Error(`a repeat was answered ${JSON.stringify(again)} after ${JSON.stringify(asked)}`);
  }
}
