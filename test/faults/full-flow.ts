import { captureKinds } from '../../domain/biometrics/biometrics';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunView } from '../../domain/flows/view-run';
import { waitUntil } from '../support/wait-until';
import { type LinkResponse, LinkBrowser } from '../api/biometrics/link/link-browser';
import { flowWithEveryKind } from '../support/every-kind.flow';
import type { ChaosWorld } from './chaos-world';
import { readCode } from './inbox-person';
import { expectStatus } from './retrying-caller';

/** A flow with every kind of step. All messages go to the phone, because the service cannot reconcile an e-mail. */
export const fullFlow: FlowDefinition = {
  ...flowWithEveryKind,
  name: 'full-flow',
  steps: {
    ...flowWithEveryKind.steps,
    judge: {
      kind: 'decide',
      rules: [{ when: "exits['code'] == 'Blocked'", then: 'blocked', because: 'no code came back' }],
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

/** Far longer than needed: after a kill, another worker continues a step within seconds. */
const stepTimeoutMs = 120_000;

/** Where a person goes through the full flow. */
export interface FlowWorld extends Pick<ChaosWorld, 'caller' | 'person' | 'nextPhone'> {
  stack: { addresses: { api: string } };
  /** How often the person and the caller look for progress. */
  pollEveryMs?: number;
  /** How long they wait for it. */
  patienceMs?: number;
}

/** One person in the full flow, with a caller and a reviewer. All three repeat failed requests. */
export class FullFlowRun {
  readonly phone: string;
  transactionId = '';
  runId = '';
  readonly #phoneNumber: ReturnType<FlowWorld['nextPhone']>;

  constructor(
    private readonly world: FlowWorld,
    private readonly image: Uint8Array,
    phoneNumber = world.nextPhone(),
  ) {
    this.#phoneNumber = phoneNumber;
    this.phone = phoneNumber.e164;
  }

  async create(): Promise<void> {
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phoneNumber.fields };
    const createResponse = await this.world.caller.post('/v1/transaction', `create-${this.phone}`, body);
    this.transactionId = (expectStatus(201, createResponse).body as { id: string }).id;
  }

  /** Goes through all steps, and returns the ended flow run. */
  async run(): Promise<RunView> {
    const { caller, person } = this.world;
    const startResponse = await caller.post(`${this.#path}/flows/${fullFlow.name}`, `start-${this.phone}`);
    this.runId = (expectStatus(201, startResponse).body as RunView).runId;
    await this.#enterCode();
    const { awaited } = await this.#waitForRun(({ awaited }) => awaited?.kind === 'images');
    const { biometricsId, url } = awaited as unknown as { biometricsId: string; url: string };
    // The second message has the link. After the images are submitted, the worker would not send it.
    await this.#waitUntil(async () => (await this.#countTextMessages()) === 2);
    // The link leads to the callback proxy, which is only for callbacks. So the browser opens the same path at the API.
    await this.#captureImages(new LinkBrowser(this.world.stack.addresses.api + new URL(url).pathname));
    await this.#approve(biometricsId);
    const question = await person.waitForMessage(this.phone, 'whatsapp');
    // An earlier reply would end the step before a kill could hit it.
    await this.#waitForRun(({ awaited }) => awaited?.kind === 'reply');
    await person.pressButton(question, 1);
    return this.#waitForRun(({ status }) => status !== 'Running');
  }

  /** After the step `tell`, the worker knows that the caller has received the event. */
  async waitForCallerEvent(): Promise<void> {
    await this.#waitForRun(({ path }) => path.some(({ step, exit }) => step === 'tell' && exit !== undefined));
  }

  #waitForRun(condition: (run: RunView) => boolean): Promise<RunView> {
    return this.#waitUntil(async () => {
      const { body } = expectStatus(200, await this.world.caller.get(`${this.#path}/flows/runs/${this.runId}`));
      return condition(body as RunView) && (body as RunView);
    });
  }

  #waitUntil<Result>(condition: () => Promise<Result | undefined | false>): Promise<Result> {
    return waitUntil(condition, this.world.patienceMs ?? stepTimeoutMs, this.world.pollEveryMs);
  }

  async #countTextMessages(): Promise<number> {
    return (await this.world.person.readMessages({ to: this.phone, channel: 'sms' })).length;
  }

  get #path(): string {
    return `/v1/transaction/${this.transactionId}`;
  }

  async #enterCode(): Promise<void> {
    const { caller, person } = this.world;
    const value = readCode(await person.waitForMessage(this.phone, 'sms'));
    const response = await caller.post(`${this.#path}/flows/runs/${this.runId}/answer`, `answer-${this.phone}`, {
      value,
    });
    const { status } = expectStatus(200, response).body as { status: string };
    if (status !== 'Valid') throw new Error(`the right code was ${status}`);
  }

  async #captureImages(browser: LinkBrowser): Promise<void> {
    // While an API process restarts, a request gets no response.
    const waitForSuccess = (request: () => Promise<LinkResponse>) =>
      this.#waitUntil(() =>
        request().then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
    await waitForSuccess(browser.readSession);
    await waitForSuccess(() => browser.post('/open'));
    await waitForSuccess(() => browser.post('/consent'));
    for (const kind of captureKinds) await waitForSuccess(() => browser.upload(kind, this.image));
    await waitForSuccess(() => browser.post('/submit'));
  }

  async #approve(biometricsId: string): Promise<void> {
    const decision = { status: 'Approved', reason: 'It is the same face.' };
    const path = `/v1/reviews/${biometricsId}/decision`;
    expectStatus(200, await this.world.caller.post(path, `decide-${this.phone}`, decision));
  }
}
