import { captureKinds } from '../../domain/biometrics/biometrics';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunView } from '../../domain/flows/view-run';
import { waitUntil } from '../acceptance/support/wait-until';
import { type LinkResponse, LinkBrowser } from '../api/biometrics/link/link-browser';
import { flowWithEveryKind } from '../support/every-kind.flow';
import type { ChaosWorld } from './chaos-world';
import { readCode } from './inbox-person';
import { expectStatus } from './patient-caller';

/** A flow with twelve steps of every kind. All messages go to the phone, whose provider supports reconciliation. */
export const fullFlow: FlowDefinition = {
  ...flowWithEveryKind,
  name: 'full-flow',
  steps: {
    ...flowWithEveryKind.steps,
    judge: {
      kind: 'decide',
      rules: [{ when: "answers['code'] == 'Blocked'", then: 'blocked', because: 'no code came back' }],
      else: 'tell',
    },
    pictures: { ...flowWithEveryKind.steps['pictures'], channels: ['sms'] } as never,
    pause: { kind: 'wait', seconds: 1, then: 'question' },
    question: { ...flowWithEveryKind.steps['question'], channel: 'whatsapp', template: 'whatsapp-2fa' } as never,
  },
};

/** The path of a person who does everything right: the steps and their exits. */
export const fullPath = [
  ['code', 'Valid'],
  ['judge', 'else'],
  ['tell', 'Delivered'],
  ['pictures', 'Approved'],
  ['pause', 'Done'],
  ['question', 'Yes'],
  ['confirmed', undefined],
] as const;

/** Another worker continues a step within seconds; anything later will not happen. */
const withinMs = 120_000;

/** One person in the full flow, with a caller and a reviewer who all retry. */
export class FullFlow {
  readonly phone: string;
  transactionId = '';
  runId = '';
  readonly #phoneNumber: ReturnType<ChaosWorld['nextPhone']>;

  constructor(
    private readonly world: ChaosWorld,
    private readonly image: Uint8Array,
  ) {
    this.#phoneNumber = world.nextPhone();
    this.phone = this.#phoneNumber.dialed;
  }

  async create(): Promise<void> {
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phoneNumber.fields };
    const created = await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body);
    this.transactionId = (expectStatus(201, created).body as { id: string }).id;
  }

  /** From the first message to the end of the run, as callers read it. */
  async run(): Promise<RunView> {
    const { caller, person } = this.world;
    const started = await caller.post(`${this.#path}/flows/${fullFlow.name}`, `start-${this.phone}`);
    this.runId = (expectStatus(201, started).body as RunView).runId;
    await this.#giveCode();
    const { awaited } = await this.#until(({ awaited }) => awaited?.kind === 'images');
    const { biometricsId, url } = awaited as unknown as { biometricsId: string; url: string };
    // The message with the link is the second one: after a submission it would not be sent any more.
    await waitUntil(async () => (await this.#textMessages()) === 2, withinMs);
    // The public address is only for callbacks.
    await this.#takePictures(new LinkBrowser(this.world.stack.addresses.api + new URL(url).pathname));
    await this.#approve(biometricsId);
    const question = await person.awaitMessage(this.phone, 'whatsapp');
    // A reply before the record has the question may leave the worker no step to be killed in.
    await this.#until(({ awaited }) => awaited?.kind === 'reply');
    await person.press(question, 1);
    return this.#until(({ status }) => status !== 'Running');
  }

  /** Waits until our record has the event as delivered. */
  async waitForCallerEvent(): Promise<void> {
    await this.#until(({ path }) => path.some(({ step, exit }) => step === 'tell' && exit !== undefined));
  }

  #until(condition: (run: RunView) => boolean): Promise<RunView> {
    return waitUntil(async () => {
      const { body } = expectStatus(200, await this.world.caller.get(`${this.#path}/flows/runs/${this.runId}`));
      return condition(body as RunView) && (body as RunView);
    }, withinMs);
  }

  async #textMessages(): Promise<number> {
    const messages = await this.world.person.allMessages();
    return messages.filter(({ to, channel }) => to === this.phone && channel === 'sms').length;
  }

  get #path(): string {
    return `/v1/transaction/${this.transactionId}`;
  }

  async #giveCode(): Promise<void> {
    const { caller, person } = this.world;
    const value = readCode(await person.awaitMessage(this.phone, 'sms'));
    const response = await caller.post(`${this.#path}/flows/runs/${this.runId}/answer`, `answer-${this.phone}`, {
      value,
    });
    const { status } = expectStatus(200, response).body as { status: string };
    if (status !== 'Valid') throw new Error(`the right code was ${status}`);
  }

  async #takePictures(browser: LinkBrowser): Promise<void> {
    const done = (request: () => Promise<LinkResponse>) =>
      waitUntil(async () => (await request()).status === 200, withinMs);
    await done(browser.readSession);
    await done(() => browser.post('/open'));
    await done(() => browser.post('/consent'));
    for (const kind of captureKinds) await done(() => browser.upload(kind, this.image));
    await done(() => browser.post('/submit'));
  }

  async #approve(biometricsId: string): Promise<void> {
    const decision = { status: 'Approved', reason: 'It is the same face.' };
    const path = `/v1/reviews/${biometricsId}/decision`;
    expectStatus(200, await this.world.caller.post(path, `decide-${this.phone}`, decision));
  }
}
