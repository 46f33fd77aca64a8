import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../../domain/flows/view-run';
import { hasRightCheckDigits } from '../../../domain/transactions/input';
import { FullFlowRun } from '../full-flow';
import { type InboxChannel, type InboxMessage, readCode } from '../inbox-person';
import { expectStatus } from '../retrying-caller';
import type { Cluster } from './cluster';
import type { Random } from './random';

/** What a person does. `flow`: a code, then a question. `every step`: a flow with every kind of step, with images and a reviewer. */
export type PersonKind = 'code by SMS' | 'code by e-mail' | 'question' | 'flow' | 'every step';

/** Ten persons in a row. Images need the most processor time, so only one of them takes some. */
const rotation: readonly PersonKind[] = [
  ...(['code by SMS', 'question', 'flow', 'code by SMS', 'question'] as const),
  ...(['flow', 'code by SMS', 'every step', 'code by e-mail', 'flow'] as const),
];
export const kindOf = (index: number): PersonKind => rotation[index % rotation.length] ?? 'flow';

/** The messages that a person gets, by channel. */
export const expectedMessages: Record<PersonKind, Partial<Record<InboxChannel, number>>> = {
  'code by SMS': { sms: 1 },
  'code by e-mail': { email: 1 },
  question: { whatsapp: 1 },
  flow: { sms: 1, whatsapp: 1 },
  'every step': { sms: 2, whatsapp: 1 },
};

/** A code by SMS, then a question on WhatsApp. */
export const shortFlow = {
  name: 'short-flow',
  title: 'A code, then a question',
  start: 'code',
  steps: {
    code: {
      kind: 'confirm',
      channel: 'sms',
      ask: 'token',
      template: 'sms-token',
      expiresAfterSeconds: 600,
      sendLimit: 1,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      resend: 'reuse',
      exits: { Valid: 'question', Expired: 'lost', Blocked: 'lost', Failed: 'lost' },
    },
    question: {
      kind: 'confirm',
      channel: 'whatsapp',
      ask: 'reply',
      template: 'whatsapp-2fa',
      expiresAfterSeconds: 600,
      sendLimit: 1,
      resendAfterSeconds: 60,
      exits: { Yes: 'confirmed', No: 'lost', Expired: 'lost', Failed: 'lost' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    lost: { kind: 'outcome', outcome: 'Lost' },
  },
} as const;

/** A valid CPF. With the same document for everybody, each score would read every earlier transaction. */
export function randomCpf(random: Random): string {
  const base = String(Math.floor(random.between(100_000_000, 999_999_999)));
  const candidates = Array.from({ length: 100 }, (_, digits) => base + String(digits).padStart(2, '0'));
  return random.pick(candidates.filter((candidate) => hasRightCheckDigits('CPF', candidate)));
}

/** A person who confirms themselves, with a caller that repeats requests. */
export class Person {
  readonly phone: string;
  readonly email: string;
  readonly startedAt = Date.now();
  endedAt = Number.POSITIVE_INFINITY;
  transactionId = '';
  /** Absent until a flow run started. */
  runId: string | undefined;
  /** Why the person did not get to the end. */
  failure: string | undefined;
  readonly #fields: ReturnType<Cluster['nextPhone']>['fields'];

  constructor(
    private readonly cluster: Cluster,
    readonly kind: PersonKind,
    private readonly random: Random,
    private readonly image: Uint8Array,
  ) {
    const { fields, e164 } = cluster.nextPhone();
    this.#fields = fields;
    this.phone = e164;
    this.email = `person.${e164.slice(1)}@example.com`;
  }

  get path(): string {
    return `/v1/transaction/${this.transactionId}`;
  }

  /** Never rejects: see `failure`. */
  async run(): Promise<void> {
    try {
      await this.#create();
      if (this.kind === 'code by SMS') await this.#enterCode('sms/tokens', 'sms');
      else if (this.kind === 'code by e-mail') await this.#enterCode('emails/tokens', 'email');
      else if (this.kind === 'question') await this.#answerQuestion();
      else if (this.kind === 'flow') await this.#goThroughFlow();
      else await this.#goThroughEveryStep();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
    this.endedAt = Date.now();
  }

  async #create(): Promise<void> {
    const { phone, email } = this;
    const body = { documentType: 'CPF', document: randomCpf(this.random), phone: this.#fields, email };
    const created = expectStatus(201, await this.cluster.caller.post('/v1/transaction', `create-${phone}`, body));
    this.transactionId = (created.body as { id: string }).id;
  }

  async #goThroughEveryStep(): Promise<void> {
    const run = new FullFlowRun(this.cluster, this.image, { e164: this.phone, fields: this.#fields });
    run.transactionId = this.transactionId;
    try {
      const { outcome } = await run.run();
      if (outcome !== 'Confirmed') throw new Error(`the flow run ended with ${outcome}`);
    } finally {
      this.runId = run.runId || undefined;
    }
  }

  async #enterCode(path: string, channel: InboxChannel): Promise<void> {
    await this.#post(path, 'send');
    const message = await this.#waitForMessage(channel);
    await this.#enter(`${path}/validate`, readCode(message));
  }

  /** First a wrong code, then the right one. */
  async #enter(path: string, right: string): Promise<void> {
    const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
    for (const [value, expected] of [
      [wrong, 'Invalid'],
      [right, 'Valid'],
    ] as const) {
      const answer = await this.cluster.caller.post(`${this.path}/${path}`, `${expected}-${this.phone}`, { value });
      const { status } = expectStatus(200, answer).body as { status: string };
      if (status !== expected) throw new Error(`a code was ${status} instead of ${expected}`);
    }
  }

  async #answerQuestion(): Promise<void> {
    await this.#post('whatsapps/2fa', 'ask');
    await this.cluster.person.pressButton(await this.#waitForMessage('whatsapp'), 1);
    await this.#waitFor('the reply is not applied', async () => {
      const { body } = expectStatus(200, await this.cluster.caller.get(`${this.path}/whatsapps/2fa`));
      return (body as { status: string }[])[0]?.status === 'Replied';
    });
  }

  async #goThroughFlow(): Promise<void> {
    this.runId = ((await this.#post(`flows/${shortFlow.name}`, 'start')) as RunView).runId;
    await this.#enter(`flows/runs/${this.runId}/answer`, readCode(await this.#waitForMessage('sms')));
    await this.cluster.person.pressButton(await this.#waitForMessage('whatsapp'), 1);
    await this.#waitFor('the flow run does not end', async () => {
      const { body } = expectStatus(200, await this.cluster.caller.get(`${this.path}/flows/runs/${this.runId}`));
      const { status, outcome } = body as RunView;
      if (status !== 'Running' && outcome !== 'Confirmed') throw new Error(`the flow run ended with ${outcome}`);
      return status !== 'Running';
    });
  }

  async #post(path: string, key: string): Promise<unknown> {
    return expectStatus(201, await this.cluster.caller.post(`${this.path}/${path}`, `${key}-${this.phone}`)).body;
  }

  #waitForMessage(channel: InboxChannel): Promise<InboxMessage> {
    return this.cluster.person.waitForMessage(channel === 'email' ? this.email : this.phone, channel);
  }

  async #waitFor(failure: string, isDone: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + this.cluster.patienceMs;
    while (!(await isDone())) {
      if (Date.now() > deadline) throw new Error(`${failure} within ${this.cluster.patienceMs / 1_000} s`);
      await sleep(this.cluster.pollEveryMs);
    }
  }
}
