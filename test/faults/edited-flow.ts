import type { FlowDefinition, Step } from '../../domain/flows/definition';
import type { RunView } from '../../domain/flows/view-run';
import { waitUntil } from '../support/wait-until';
import type { ChaosWorld } from './chaos-world';
import { readCode } from './inbox-person';
import { expectStatus } from './retrying-caller';

/** Long, because up to 200 flow runs are open at the same time. */
const runTimeoutMs = 15_000;

type Steps = FlowDefinition['steps'];

const outcomeStep = (name: string): Step => ({ kind: 'outcome', outcome: name });

const questionStep = (exits: Record<string, string>): Step => ({
  kind: 'confirm',
  channel: 'whatsapp',
  ask: 'reply',
  template: 'whatsapp-2fa',
  expiresAfterSeconds: 1_800,
  sendLimit: 1,
  resendAfterSeconds: 60,
  exits,
});

const codeStep = (prefix: string, exits: Record<string, string>): Step => ({
  kind: 'confirm',
  channel: 'sms',
  ask: 'token',
  message: {
    'pt-BR': { body: `${prefix} {{code}}` },
    en: { body: `${prefix} {{code}}` },
    es: { body: `${prefix} {{code}}` },
  },
  expiresAfterSeconds: 600,
  sendLimit: 1,
  resendAfterSeconds: 60,
  attemptLimit: 3,
  codeDigits: 6,
  resend: 'reuse',
  exits,
});

/** Before the edit: a person with an e-mail address gets a second factor, every other person gets a code. */
const firstSteps: Steps = {
  sort: { kind: 'decide', rules: [{ when: 'transaction.hasEmail', then: 'question' }], else: 'code' },
  question: questionStep({ Yes: 'welcome', No: 'refused', Expired: 'lost', Failed: 'lost' }),
  code: codeStep('First', { Valid: 'welcome', Expired: 'lost', Blocked: 'refused', Failed: 'lost' }),
  welcome: outcomeStep('WelcomeAsFirst'),
  refused: outcomeStep('RefusedAsFirst'),
  lost: outcomeStep('LostAsFirst'),
};

/** After the edit: the same names with other texts, transitions and outcomes. A person who answers no gets a code. */
const secondSteps: Steps = {
  sort: { kind: 'decide', rules: [{ when: 'transaction.hasEmail', then: 'code' }], else: 'question' },
  question: questionStep({ Yes: 'welcome', No: 'code', Expired: 'lost', Failed: 'lost' }),
  code: codeStep('Second', { Valid: 'late', Expired: 'lost', Blocked: 'lost', Failed: 'lost' }),
  welcome: outcomeStep('WelcomeAsSecond'),
  late: outcomeStep('LateAsSecond'),
  lost: outcomeStep('LostAsSecond'),
};

export const editedFlow = {
  name: 'edited',
  before: { title: 'As it was at first', start: 'sort', steps: firstSteps },
  after: { title: 'As it was edited', start: 'sort', steps: secondSteps },
};

/** One person in a flow run of the edited flow. */
export class EditedRun {
  transactionId = '';
  readonly #phone: string;
  readonly #phoneNumber: ReturnType<ChaosWorld['nextPhone']>;
  #runId = '';

  constructor(
    private readonly world: ChaosWorld,
    private readonly hasEmail: boolean,
  ) {
    this.#phoneNumber = world.nextPhone();
    this.#phone = this.#phoneNumber.e164;
  }

  /** Creates a transaction and starts the flow. Returns the flow version. */
  async start(): Promise<number> {
    const { caller } = this.world;
    const body = { documentType: 'CPF', document: '52998224725', phone: this.#phoneNumber.fields };
    const email = this.hasEmail ? { email: `${this.#phoneNumber.fields.number}@example.com` } : {};
    const createResponse = await caller.post('/v1/transaction', `create-${this.#phone}`, { ...body, ...email });
    this.transactionId = (expectStatus(201, createResponse).body as { id: string }).id;
    const startResponse = await caller.post(`${this.#path}/${editedFlow.name}`, `start-${this.#phone}`);
    const { runId, version } = expectStatus(201, startResponse).body as RunView;
    this.#runId = runId;
    return version;
  }

  /** `button`: 1 is yes, 2 is no. */
  async pressButton(button: 1 | 2): Promise<void> {
    const { person } = this.world;
    await person.pressButton(await person.waitForMessage(this.#phone, 'whatsapp'), button);
  }

  /** Waits for the SMS with the code. */
  waitForMessage() {
    return this.world.person.waitForMessage(this.#phone, 'sms');
  }

  /** Waits until the flow run waits for a code: the message may arrive before that. */
  async enterCode(): Promise<void> {
    const value = readCode(await this.waitForMessage());
    await this.#waitForRun(({ awaited }) => awaited?.kind === 'token');
    const response = await this.world.caller.post(`${this.#path}/runs/${this.#runId}/answer`, `answer-${this.#phone}`, {
      value,
    });
    expectStatus(200, response);
  }

  /** If the flow run does not end in time, returns it as it is. */
  async waitForEnd(): Promise<RunView> {
    await this.#waitForRun(({ status }) => status !== 'Running').catch(() => undefined);
    return this.#read();
  }

  #waitForRun(condition: (run: RunView) => boolean): Promise<boolean> {
    return waitUntil(async () => condition(await this.#read()), runTimeoutMs);
  }

  async #read(): Promise<RunView> {
    return expectStatus(200, await this.world.caller.get(`${this.#path}/runs/${this.#runId}`)).body as RunView;
  }

  get #path(): string {
    return `/v1/transaction/${this.transactionId}/flows`;
  }
}
