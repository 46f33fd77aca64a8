import { isDeepStrictEqual } from 'node:util';
import type { ChaosWorld } from './chaos-world';
import { type InboxMessage, readCode } from './inbox-person';
import type { CallersAnswer } from './patient-caller';

export type FlowName = 'sms-token' | 'whatsapp-2fa';

/** Where each flow is asked for, and how it ends well. */
const ways = {
  'sms-token': { path: 'sms/tokens', channel: 'sms' },
  'whatsapp-2fa': { path: 'whatsapps/2fa', channel: 'whatsapp' },
} as const;

export interface FlowPlan {
  flow: FlowName;
  /** Whether the person answers as soon as the message is there, or when the caller knows that it was sent. */
  personWaits: boolean;
  /** Called at the instant at which the message is on the phone. */
  onMessage?: () => void;
}

/** One person taken through one confirmation, from the first request to the last answer. */
export class FlowRun {
  readonly channel: 'sms' | 'whatsapp';
  readonly phone: string;
  transactionId = '';
  /** The first kill that came while the flow was under way. */
  hitAtMs: number | undefined;
  finishedAtMs: number | undefined;
  /** Why the flow did not end as it should. */
  failure: string | undefined;

  readonly #phone: ReturnType<ChaosWorld['nextPhone']>;

  constructor(
    private readonly world: ChaosWorld,
    private readonly plan: FlowPlan,
  ) {
    this.#phone = world.nextPhone();
    this.phone = `+${Object.values(this.#phone).join('')}`;
    this.channel = ways[plan.flow].channel;
  }

  /** Never rejects: a flow that fails says so. */
  async run(): Promise<void> {
    try {
      await this.#create();
      await this.#confirm();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  noteKill(): void {
    if (this.finishedAtMs === undefined) this.hitAtMs ??= Date.now();
  }

  /** Asks again for what was answered before, once nothing is under way any more, and reads how the flow ended. */
  async check(): Promise<void> {
    if (this.failure !== undefined) return;
    try {
      await this.world.awaitRest(this.transactionId);
      const all = await this.world.caller.get(`/v1/transaction/${this.transactionId}/all`);
      const messages = await this.world.caller.get(`/v1/transaction/${this.transactionId}/whatsapps/2fa`);
      const status =
        this.plan.flow === 'sms-token'
          ? (all.body as { smsToken?: { status: string } }).smsToken?.status
          : (messages.body as { status: string }[])[0]?.status;
      const wanted = this.plan.flow === 'sms-token' ? 'Valid' : 'Replied';
      if (status !== wanted) this.failure = `ended as ${status} instead of ${wanted}`;
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  async #create(): Promise<void> {
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phone };
    const created = expectStatus(201, await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body));
    this.transactionId = (created.body as { id: string }).id;
  }

  async #confirm(): Promise<void> {
    const { caller, person } = this.world;
    const ask = () => caller.post(this.#path(ways[this.plan.flow].path), `ask-${this.phone}`);
    const asking = ask();
    // Awaited below; while the person acts it may fail unobserved.
    asking.catch(() => undefined);
    const message = await person.awaitMessage(this.phone, this.channel);
    this.plan.onMessage?.();
    if (this.plan.personWaits) await asking;
    await this.#answer(message);
    const asked = expectStatus(201, await asking);
    this.finishedAtMs = Date.now();
    const again = await ask();
    if (!isDeepStrictEqual(again, asked)) {
      throw new Error(`a repeat was answered ${JSON.stringify(again)} after ${JSON.stringify(asked)}`);
    }
  }

  async #answer(message: InboxMessage): Promise<void> {
    const { caller, person } = this.world;
    if (this.plan.flow === 'whatsapp-2fa') {
      await person.press(message, 1);
      return this.#awaitReply();
    }
    const value = { value: readCode(message) };
    const tried = expectStatus(200, await caller.post(this.#path('sms/tokens/validate'), `try-${this.phone}`, value));
    const { status } = tried.body as { status: string };
    if (status !== 'Valid') throw new Error(`the right code was ${status}`);
  }

  async #awaitReply(): Promise<void> {
    const givesUpAt = Date.now() + replyWithinMs;
    for (;;) {
      const { body } = await this.world.caller.get(this.#path('whatsapps/2fa'));
      if ((body as { status: string }[])[0]?.status === 'Replied') return;
      if (Date.now() > givesUpAt) throw new Error(`the reply was not known after ${replyWithinMs / 1_000} s`);
      await sleep(200);
    }
  }

  #path(rest: string): string {
    return `/v1/transaction/${this.transactionId}/${rest}`;
  }
}

function expectStatus(status: number, answer: CallersAnswer): CallersAnswer {
  if (answer.status === status) return answer;
  throw new Error(`answered ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}
