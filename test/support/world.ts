import type { ConfirmationReply } from '../../domain/confirmations/commands';
import { transactionWorkflowId, updateIdFor, workflowType } from '../../workflows/contract/ids';
import { type TransactionStart, searchAttributes } from '../../workflows/contract/start';
import { randomUUID } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type WorkflowHandle, WithStartWorkflowOperation } from '@temporalio/client';
import { createLogger } from '../../platform/logger';
import { ensureSearchAttributes } from '../../platform/temporal/search-attributes';
import { builtBundle } from '../../worker/bundle';
import type { WorkerVersion } from '../../worker/deployment/versions';
import { createWorkers, type WorkerGroup } from '../../worker/create-workers';
import * as contract from '../../workflows/contract/commands';
import { type BiometricsProposal, captureKinds } from '../../domain/biometrics/biometrics';
import type { PageAction } from '../../domain/biometrics/capture';
import type { TransactionInput } from '../../domain/transactions/input';
import type { ConfirmationProposal, ConfirmationSettings } from '../../domain/confirmations/settings';
import { toView, type TransactionView } from '../../domain/transactions/views';
import { digestTypedCode } from '../../messages/codes';
import { codeOf, person, propose, proposeLink, testKeys } from './build';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunPlan } from '../../domain/flows/run';
import { newState, type TransactionState } from '../../domain/transactions/state';
import { planOf } from './flow-plan';
import { FakeActivities } from './fake-activities';
import { quietRuntime } from './quiet-runtime';
import { openDevServer, openSkippingServer } from './servers/open-environment';

/** A worker of another version. `bundle`: its workflow code. */
interface OtherWorker {
  version?: WorkerVersion | undefined;
  bundle?: { codePath: string } | { code: string };
}

/**
 * The same activities. `overlaps` gets the name of each local activity that starts while another one of the same workflow runs: when a worker
 * replays the workflow, they could end in another order.
 */
function watchLocalActivities(activities: FakeActivities, overlaps: string[]): FakeActivities {
  const running = new Map<string, { activityId: string; until: number }>();
  const watch = (name: string, run: (input: never) => Promise<unknown>) => async (input: never) => {
    const { isLocal, activityId, workflowExecution, startToCloseTimeoutMs } = activityInfo();
    if (!isLocal) return run(input);
    const workflow = workflowExecution?.runId ?? '';
    const other = running.get(workflow);
    // An activity that ran for too long has ended for the workflow.
    if (other && other.activityId !== activityId && Date.now() < other.until) overlaps.push(name);
    running.set(workflow, { activityId, until: Date.now() + startToCloseTimeoutMs });
    return run(input).finally(() => running.delete(workflow));
  };
  const entries = Object.entries(activities).map(([name, value]) => [
    name,
    typeof value === 'function' ? watch(name, value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** A Temporal server with one worker and fake activities. */
export class World {
  private constructor(
    readonly env: TestWorkflowEnvironment,
    readonly activities: FakeActivities,
    private readonly worker: WorkerGroup,
    private readonly workerRun: Promise<void>,
    readonly taskQueue: string,
    private readonly overlaps: readonly string[],
  ) {}

  /**
   * `skipping` can skip time. `temporal` is the Temporal dev server, whose histories equal those of production. `temporal-short` suggests
   * early to continue a workflow with an empty history (continue-as-new).
   */
  static async open(
    server: 'skipping' | 'temporal' | 'temporal-short' = 'skipping',
    version?: WorkerVersion,
  ): Promise<World> {
    quietRuntime();
    const env = await (server === 'skipping' ? openSkippingServer() : openDevServer(server));
    await ensureSearchAttributes(
      env.connection,
      { TEMPORAL_ADDRESS: env.address, TEMPORAL_NAMESPACE: 'default' },
      Object.values(searchAttributes),
    );
    const activities = new FakeActivities();
    const taskQueue = `test-${randomUUID()}`;
    const overlaps: string[] = [];
    const watched = watchLocalActivities(activities, overlaps);
    const worker = await World.#createWorkers(env, watched, taskQueue, { version });
    return new World(env, activities, worker, worker.run(), taskQueue, overlaps);
  }

  static #createWorkers(
    env: TestWorkflowEnvironment,
    activities: FakeActivities,
    taskQueue: string,
    { version, bundle = builtBundle }: OtherWorker,
  ): Promise<WorkerGroup> {
    return createWorkers({
      connection: env.nativeConnection,
      namespace: 'default',
      taskQueue,
      activities,
      cachedWorkflows: 50,
      workflowBundle: bundle,
      ...(version && { version }),
      logger: createLogger('test', 'silent'),
    });
  }

  /** Starts one more worker. Returns a function that stops it. */
  async startOtherWorker(other: OtherWorker): Promise<() => Promise<void>> {
    const worker = await World.#createWorkers(this.env, this.activities, this.taskQueue, other);
    const run = worker.run();
    return async () => {
      worker.shutdown();
      await run;
    };
  }

  async close(): Promise<void> {
    await this.stopWorker();
    await this.env.teardown();
    if (this.overlaps.length > 0) throw new Error(`Local activities ran at the same time: ${this.overlaps.join(', ')}`);
  }

  /** Stops the worker as a deployment does. Transactions wait until another worker starts. */
  async stopWorker(): Promise<void> {
    this.worker.shutdown();
    await this.workerRun;
  }

  /** The time of the Temporal server, in ISO 8601. */
  async now(): Promise<string> {
    return new Date(await this.env.currentTimeMs()).toISOString();
  }

  /** Waits until the first assessment is saved. */
  async waitForAssessment(transaction: TestTransaction): Promise<void> {
    while (!(await transaction.readView()).assessed) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** The view, as the API makes it from the record. */
  viewOf = toView;

  async createTransaction(input: Partial<TransactionInput> = {}): Promise<TestTransaction> {
    const id = randomUUID();
    const state = newState({ tenant: 'local', id, input: { ...person, ...input }, createdAt: await this.now() });
    this.activities.records.set(id, state);
    const handle = await this.env.client.workflow.start(workflowType, this.#options(id, { state }));
    return new TestTransaction(this, handle, id);
  }

  /** A request for a confirmation resumes a closed transaction from its record. */
  async resumeByRequest(transaction: TestTransaction, settings: ConfirmationSettings): Promise<TestTransaction> {
    const state = this.activities.records.get(transaction.id);
    if (!state) throw new Error(`There is no record of ${transaction.id}.`);
    const startWorkflowOperation = new WithStartWorkflowOperation<(start: TransactionStart) => Promise<void>>(
      workflowType,
      { ...this.#options(transaction.id, { state }), workflowIdConflictPolicy: 'USE_EXISTING' },
    );
    const args: [ConfirmationProposal, contract.RequestInfo] = [propose(settings, transaction.id), requestInfo];
    await this.env.client.workflow.executeUpdateWithStart(contract.requestConfirmation, {
      startWorkflowOperation,
      args,
    });
    return this.reconnect(transaction);
  }

  /** The same transaction in its current workflow run. */
  reconnect({ id }: TestTransaction): TestTransaction {
    return new TestTransaction(this, this.env.client.workflow.getHandle(transactionWorkflowId('local', id)), id);
  }

  #options(id: string, start: TransactionStart) {
    return {
      workflowId: transactionWorkflowId('local', id),
      taskQueue: this.taskQueue,
      args: [start] as [TransactionStart],
      typedSearchAttributes: [
        { key: searchAttributes.tenant, value: 'local' },
        { key: searchAttributes.status, value: 'Open' },
      ],
    };
  }
}

type Handle = WorkflowHandle;

const requestInfo: contract.RequestInfo = { fingerprint: 'f', rememberResponse: true };

/** An update id, as the API makes it for a request without an idempotency key. */
const newUpdateId = () => updateIdFor(randomUUID(), 'digest');

/** A transaction in a running workflow. Its methods send commands, as the API does. */
export class TestTransaction {
  constructor(
    private readonly world: World,
    readonly handle: Handle,
    readonly id: string,
  ) {}

  /** Returns the output of the command. Commands with the same `updateId` count as one. */
  async send<Input, Output>(
    command: contract.Command<Input, Output>,
    input: Input,
    updateId: string = newUpdateId(),
    info: contract.RequestInfo = requestInfo,
  ): Promise<Output> {
    return (await this.handle.executeUpdate(command, { updateId, args: [input, info] })).output;
  }

  request(settings: ConfirmationSettings, updateId?: string, proposal = propose(settings, this.id)) {
    return this.send(contract.requestConfirmation, proposal, updateId);
  }

  answer(settings: ConfirmationSettings, value: string, updateId?: string) {
    const digest = digestTypedCode(testKeys, this.id, settings.name, value);
    return this.send(contract.checkConfirmationCode, { name: settings.name, digest }, updateId);
  }

  reply(confirmationId: string, reply: ConfirmationReply['reply'], updateId?: string) {
    return this.send(contract.replyToConfirmation, { confirmationId, reply }, updateId);
  }

  analyse(analysis: contract.AnalysisRequest['analysis'], updateId?: string, repeatable = true) {
    return this.send(contract.analyse, { analysis }, updateId, { ...requestInfo, rememberResponse: repeatable });
  }

  requestLink(biometricsId: string, change: Partial<BiometricsProposal> = {}, updateId?: string) {
    return this.send(contract.requestBiometrics, { ...proposeLink(biometricsId), ...change }, updateId);
  }

  sendPageAction(biometricsId: string, owner: string, step: PageAction) {
    return this.send(contract.applyPageAction, { ...step, biometricsId, owner });
  }

  decide(biometricsId: string, status: 'Approved' | 'Rejected' | 'Inconclusive') {
    return this.send(contract.decideBiometrics, { biometricsId, status, by: 'reviewer-1', reason: 'seen' });
  }

  startFlow(flow: FlowDefinition, updateId?: string) {
    return this.startPlan(planOf(flow, this.id), updateId);
  }

  startPlan(plan: RunPlan, updateId?: string) {
    return this.send(contract.startFlow, plan, updateId);
  }

  /** Enters a code in a step that asks for a code by SMS or by e-mail. */
  answerFlow(runId: string, value: string) {
    const names = ['sms-token', 'email-token', 'whatsapp-token', 'voice-token'];
    const digests = Object.fromEntries(names.map((name) => [name, digestTypedCode(testKeys, this.id, name, value)]));
    return this.send(contract.checkFlowCode, { runId, digests });
  }

  resendFlow(runId: string) {
    return this.send(contract.resendFlow, { runId });
  }

  cancelFlow(runId: string) {
    return this.send(contract.cancelFlow, { runId });
  }

  /** Also opens the link, consents, and takes all images. */
  async submitImages(biometricsId: string) {
    const capture = { imageId: 'i', width: 1200, height: 900, sharpness: 200, brightness: 120 };
    const captures = captureKinds.map((kind): PageAction => ({ action: 'capture', kind, capture }));
    for (const step of [
      { action: 'open' },
      { action: 'consent' },
      ...captures,
      { action: 'submit' },
    ] satisfies PageAction[])
      await this.sendPageAction(biometricsId, 'mine', step);
  }

  /** The state that was saved last. */
  async readState(): Promise<TransactionState> {
    const record = this.world.activities.records.get(this.id);
    if (!record) throw new Error(`There is no record of ${this.id}.`);
    return record;
  }

  eraseImages(by = 'client-1') {
    return this.send(contract.eraseBiometrics, { by });
  }

  sendDeliveryStatus(sendId: string, status: contract.DeliveryStatusReport['status']) {
    return this.handle.signal(contract.deliveryStatusReported, { sendId, status });
  }

  /** The view from the running workflow. */
  async readView() {
    return this.handle.query(contract.view, await this.world.now());
  }

  codeOfLastMessage(settings: ConfirmationSettings): string {
    return codeOf(settings, this.id, this.lastMessage().confirmationOrLinkId);
  }

  /** The code from the newest message of the confirmation with these settings. */
  codeOf(settings: ConfirmationSettings): string {
    const message = this.messages().findLast((sent) => sent.settings.name === settings.name);
    if (!message) throw new Error(`No message of ${settings.name} was sent.`);
    return codeOf(settings, this.id, message.confirmationOrLinkId);
  }

  async waitUntil(condition: (view: TransactionView) => boolean): Promise<void> {
    for (const deadline = Date.now() + 60_000; !condition(await this.readView()); )
      if (Date.now() > deadline) throw new Error('The view did not meet the condition in time.');
      else await new Promise((resolve) => setTimeout(resolve, 20));
  }

  lastMessage() {
    const message = this.world.activities.messages.findLast((sent) => sent.transactionId === this.id);
    if (!message) throw new Error('No message was sent.');
    return message;
  }

  messages() {
    return this.world.activities.messages.filter((sent) => sent.transactionId === this.id);
  }

  async fetchHistory() {
    return this.handle.fetchHistory();
  }
}
