import { randomUUID } from 'node:crypto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { type WorkflowHandle, WithStartWorkflowOperation } from '@temporalio/client';
import { createLogger } from '../../platform/logger';
import { ensureSearchAttributes } from '../../platform/temporal';
import { builtBundle } from '../../worker/built-bundle';
import { createWorker } from '../../worker/create-worker';
import * as contract from '../../workflows/contract';
import { captureKinds } from '../../domain/biometrics/biometrics';
import type { PageStep } from '../../domain/biometrics/capture';
import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import type { TransactionInput } from '../../domain/transaction';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { toView } from '../../domain/views';
import { digestValue } from '../../platform/codes';
import { codeOf, person, propose, testKeys } from './build';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunPlan } from '../../domain/flows/run';
import type { TransactionState } from '../../domain/state';
import { planOf } from './flow-plan';
import { FakeActivities } from './fake-activities';
import { quietRuntime } from './quiet-runtime';

/** A time-skipping Temporal server with one worker, and a hand on what it talks to. */
export class World {
  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly activities: FakeActivities,
    private readonly worker: Worker,
    private readonly run: Promise<void>,
    readonly taskQueue: string,
  ) {}

  /** `skipping` moves time at will; `real` is the dev server, whose histories are those of production. */
  static async open(server: 'skipping' | 'real' = 'skipping'): Promise<World> {
    quietRuntime();
    const variable = server === 'real' ? 'TEMPORAL_CLI_PATH' : 'TEMPORAL_TEST_SERVER_PATH';
    const path = process.env[variable];
    if (!path) throw new Error(`${variable} is not set: run the tests by npm test.`);
    const options = { server: { executable: { type: 'existing-path', path } } } as const;
    const env = await (server === 'real'
      ? TestWorkflowEnvironment.createLocal(options)
      : TestWorkflowEnvironment.createTimeSkipping(options));
    await ensureSearchAttributes(env.connection, 'default', Object.values(contract.searchAttributes));
    const activities = new FakeActivities();
    const taskQueue = `test-${randomUUID()}`;
    const parts = {
      connection: env.nativeConnection,
      namespace: 'default',
      taskQueue,
      activities,
      cachedWorkflows: 50,
    };
    const worker = await createWorker({
      ...parts,
      workflowBundle: builtBundle,
      logger: createLogger('test', 'silent'),
    });
    return new World(env, activities, worker, worker.run(), taskQueue);
  }

  async close(): Promise<void> {
    this.worker.shutdown();
    await this.run;
    await this.env.teardown();
  }

  /** The clock of the server. */
  async now(): Promise<string> {
    return new Date(await this.env.currentTimeMs()).toISOString();
  }

  /** Returns once the first assessment is in. */
  async assessed(told: Told): Promise<void> {
    while (!(await told.view()).assessed) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** What a read from the record would show. */
  viewOf = toView;

  async transaction(input: Partial<TransactionInput> = {}): Promise<Told> {
    const id = randomUUID();
    const born = { tenant: 'local', id, input: { ...person, ...input }, createdAt: await this.now() };
    const handle = await this.env.client.workflow.start(contract.workflowType, this.#options(id, { born }));
    return new Told(this, handle, id);
  }

  /** Asks a transaction that fell asleep for a confirmation: one call starts it from its record and tells it. */
  async wake(told: Told, flow: ConfirmationSettings): Promise<Told> {
    const resumed = this.activities.records.get(told.id);
    if (!resumed) throw new Error(`There is no record of ${told.id}.`);
    const startWorkflowOperation = new WithStartWorkflowOperation<(start: contract.TransactionStart) => Promise<void>>(
      contract.workflowType,
      { ...this.#options(told.id, { resumed }), workflowIdConflictPolicy: 'USE_EXISTING' },
    );
    const args: [ConfirmationProposal & contract.Fingerprinted] = [{ ...propose(flow, told.id), fingerprint: 'f' }];
    await this.env.client.workflow.executeUpdateWithStart(contract.requestConfirmation, {
      startWorkflowOperation,
      args,
    });
    return this.rejoin(told);
  }

  /** The same transaction in whatever run it is in now. */
  rejoin({ id }: Told): Told {
    return new Told(this, this.env.client.workflow.getHandle(contract.transactionWorkflowId('local', id)), id);
  }

  #options(id: string, start: contract.TransactionStart) {
    return {
      workflowId: contract.transactionWorkflowId('local', id),
      taskQueue: this.taskQueue,
      args: [start] as [contract.TransactionStart],
      typedSearchAttributes: [
        { key: contract.searchAttributes.tenant, value: 'local' },
        { key: contract.searchAttributes.status, value: 'Open' },
      ],
    };
  }
}

type Handle = WorkflowHandle;

/** As the API has it for who gives no key. */
const newUpdateId = () => contract.updateIdFor(randomUUID(), 'told');

/** One running transaction, spoken to by its contract. */
export class Told {
  constructor(
    private readonly world: World,
    readonly handle: Handle,
    readonly id: string,
  ) {}

  request(flow: ConfirmationSettings, updateId: string = newUpdateId(), proposal = propose(flow, this.id)) {
    return this.handle.executeUpdate(contract.requestConfirmation, {
      updateId,
      args: [{ ...proposal, fingerprint: 'f' }],
    });
  }

  answer(flow: ConfirmationSettings, value: string, updateId: string = newUpdateId()) {
    const digest = digestValue(testKeys, this.id, flow.name, value);
    return this.handle.executeUpdate(contract.answerConfirmation, {
      updateId,
      args: [{ flow: flow.name, digest, fingerprint: 'f' }],
    });
  }

  reply(confirmationId: string, reply: contract.PersonsReply['reply'], updateId: string = newUpdateId()) {
    return this.handle.executeUpdate(contract.replyToConfirmation, {
      updateId,
      args: [{ confirmationId, reply, fingerprint: 'f' }],
    });
  }

  async analyse(analysis: contract.AnalysisAsked['analysis'], updateId: string = newUpdateId(), keyed = true) {
    const args: [contract.AnalysisAsked & contract.Fingerprinted] = [{ analysis, fingerprint: 'f', keyed }];
    return (await this.handle.executeUpdate(contract.analyse, { updateId, args })).answer;
  }

  link(biometricsId: string, change: Partial<BiometricsProposal> = {}, updateId: string = newUpdateId()) {
    const proposal: BiometricsProposal = {
      biometricsId,
      tokenHash: `hash of ${biometricsId}`,
      expiresAfterMs: 86_400_000,
      language: 'pt-BR',
      channels: [],
      messages: {},
      allowedCountries: ['55'],
      imageDays: 90,
      ...change,
    };
    return this.handle.executeUpdate(contract.requestBiometrics, {
      updateId,
      args: [{ ...proposal, fingerprint: 'f' }],
    });
  }

  step(biometricsId: string, owner: string, step: PageStep) {
    return this.handle.executeUpdate(contract.takeBiometricsStep, {
      args: [{ ...step, biometricsId, owner, fingerprint: 'f' }],
    });
  }

  decide(biometricsId: string, status: 'Approved' | 'Rejected' | 'Inconclusive') {
    return this.handle.executeUpdate(contract.decideBiometrics, {
      args: [{ biometricsId, status, by: 'reviewer-1', reason: 'seen', fingerprint: 'f' }],
    });
  }

  async startFlow(flow: FlowDefinition, updateId: string = newUpdateId()) {
    return this.startPlan(planOf(flow, this.id), updateId);
  }

  async startPlan(plan: RunPlan, updateId: string = newUpdateId()) {
    const args: [RunPlan & contract.Fingerprinted] = [{ ...plan, fingerprint: 'f' }];
    return (await this.handle.executeUpdate(contract.startFlow, { updateId, args })).answer;
  }

  async recallRun(runIds: readonly string[]) {
    const args: [contract.RunsProposed & contract.Fingerprinted] = [{ runIds, fingerprint: 'f', keyed: false }];
    return (await this.handle.executeUpdate(contract.recallRun, { updateId: newUpdateId(), args })).answer;
  }

  async answerFlow(runId: string, value: string) {
    const names = ['sms-token', 'email-token'];
    const digests = Object.fromEntries(names.map((name) => [name, digestValue(testKeys, this.id, name, value)]));
    const args: [contract.FlowAnswered & contract.Fingerprinted] = [{ runId, digests, fingerprint: 'f' }];
    return (await this.handle.executeUpdate(contract.answerFlow, { updateId: newUpdateId(), args })).answer;
  }

  async resendFlow(runId: string) {
    return (
      await this.handle.executeUpdate(contract.resendFlow, {
        updateId: newUpdateId(),
        args: [{ runId, fingerprint: 'f' }],
      })
    ).answer;
  }

  async cancelFlow(runId: string) {
    return (
      await this.handle.executeUpdate(contract.cancelFlow, {
        updateId: newUpdateId(),
        args: [{ runId, fingerprint: 'f' }],
      })
    ).answer;
  }

  /** The person takes all pictures of a link and hands them in. */
  async handIn(biometricsId: string) {
    const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
    const taken = captureKinds.map((kind): PageStep => ({ step: 'capture', kind, capture }));
    for (const step of [{ step: 'open' }, { step: 'consent' }, ...taken, { step: 'submit' }] satisfies PageStep[])
      await this.step(biometricsId, 'mine', step);
  }

  /** What was last kept of it. */
  async state(): Promise<TransactionState> {
    const kept = this.world.activities.records.get(this.id);
    if (!kept) throw new Error(`There is no record of ${this.id}.`);
    return kept;
  }

  eraseImages(by = 'client-1') {
    return this.handle.executeUpdate(contract.eraseBiometrics, { args: [{ by, fingerprint: 'f' }] });
  }

  progress(sendId: string, status: contract.MessageProgress['status']) {
    return this.handle.signal(contract.messageProgressed, { sendId, status });
  }

  async view() {
    return this.handle.query(contract.view, await this.world.now());
  }

  /** Code of the newest message of this transaction. */
  code(flow: ConfirmationSettings): string {
    return codeOf(flow, this.id, this.lastMessage().confirmationId);
  }

  lastMessage() {
    const message = this.world.activities.messages.findLast((sent) => sent.transactionId === this.id);
    if (!message) throw new Error('No message was sent.');
    return message;
  }

  messages() {
    return this.world.activities.messages.filter((sent) => sent.transactionId === this.id);
  }

  async history() {
    return this.handle.fetchHistory();
  }
}
