import { serviceBrand } from '../../../domain/brand/brand';
import { transactionWorkflowId, workflowType } from '../../../workflows/contract/ids';
import { searchAttributes } from '../../../workflows/contract/start';
import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { usualTerms } from '../../../api/confirmations/terms';
import { runPlanOf } from '../../../api/flows/runs/run-plan';
import { boundsOf } from '../../../domain/flows/bounds';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { deliveryCheckAt } from '../../../domain/flows/delivery-deadline';
import { type FlowRun, isRunning, currentStepName } from '../../../domain/flows/run';
import { viewRun } from '../../../domain/flows/view-run';
import { newState } from '../../../domain/transactions/state';
import { deriveCode } from '../../../messages/codes';
import { createServiceKeys, deriveKeys, type Keys } from '../../../platform/keys/service-keys';
import { createLogger } from '../../../platform/logger';
import { ensureSearchAttributes } from '../../../platform/temporal/search-attributes';
import { builtBundle } from '../../../worker/bundle';
import { createWorkers, type WorkerGroup } from '../../../worker/create-workers';
import * as contract from '../../../workflows/contract/commands';
import { UsageError } from '../options';
import type { ScriptedStep } from '../scripted-step';
import type { Scenario } from '../scenario';
import { runScriptedStep, rejectionText, requestInfo, type SimulatedTransaction } from './run-scripted-step';
import { ScenarioRun } from './scenario-run';
import { createSimulatedActivities } from './simulated-activities';
import { connectToTestServer, startTestServer } from './test-server';
import { transactionInputOf } from '../scenario-transaction';
import { buildTimeline } from './build-timeline';
import type { Simulation, Timeline } from '../timeline';

const taskQueue = 'simulation';
const tenant = 'simulation';

/** Keys that nothing outside of the simulation uses. */
function newKeys(): Keys {
  const secret = randomBytes(32);
  return deriveKeys(secret, createServiceKeys(secret.toString('base64')));
}

const brand = serviceBrand('Countersign', 'pt-BR');

/** The settings of a flow run, the same as in the local stack. */
const planDependencies = {
  config: {
    ALLOWED_COUNTRIES: ['55'],
    REQUIRE_VERIFIED_EMAIL: false,
  },
  confirmationSettings: new Map(),
  biometricsSettings: () => ({ linkSeconds: 86_400, channels: [], imageDays: 90, imageUrlSeconds: 300 }),
};

/**
 * Pauses between checks of a flow run, if it is unknown how long the flow run waits. Each pause is twice as long as the pause before, up to
 * `longestPollMs`.
 */
const firstPollMs = 1_000;
const longestPollMs = 60_000;

/** Runs flows in the real workflow, on a Temporal test server that skips waiting times. */
class ServerSimulation implements Simulation {
  readonly #scenarioRuns = new Map<string, ScenarioRun>();
  readonly #keys = newKeys();
  #workerRun: Promise<void> | undefined;
  #worker: WorkerGroup | undefined;

  constructor(private readonly env: TestWorkflowEnvironment) {}

  async start(): Promise<void> {
    await ensureSearchAttributes(
      this.env.connection,
      { TEMPORAL_ADDRESS: this.env.address, TEMPORAL_NAMESPACE: 'default' },
      Object.values(searchAttributes),
    );
    this.#worker = await createWorkers({
      connection: this.env.nativeConnection,
      namespace: 'default',
      taskQueue,
      activities: createSimulatedActivities(this.#keys, this.#scenarioRuns),
      cachedWorkflows: 20,
      workflowBundle: builtBundle,
      logger: createLogger('simulation', 'silent'),
    });
    this.#workerRun = this.#worker.run();
  }

  async stop(): Promise<void> {
    this.#worker?.shutdown();
    await this.#workerRun;
    await this.env.teardown();
  }

  async run(flow: FlowDefinition, scenario: Scenario): Promise<Timeline> {
    const id = randomUUID();
    const scenarioRun = new ScenarioRun(
      scenario,
      ({ transactionId, confirmationOrLinkId, codeId = confirmationOrLinkId, settings: { codeDigits } }) =>
        deriveCode(this.#keys, transactionId, codeId, codeDigits),
    );
    this.#scenarioRuns.set(id, scenarioRun);
    const handle = await this.#startTransaction(id, scenario);
    scenarioRun.plan = runPlanOf(planDependencies, tenant, usualTerms(this.#keys, id), brand, flow, () => randomUUID());
    const startedAt = await this.env.currentTimeMs();
    await handle.executeUpdate(contract.startFlow, {
      args: [scenarioRun.plan, requestInfo],
    });
    const target = { handle, scenarioRun, keys: this.#keys, transactionId: id, runId: scenarioRun.plan.runId };
    await this.#runScript(target, startedAt + boundsOf(flow).seconds * 1_000);
    // The workflow keeps running, because terminating a workflow can break the test server.
    return buildTimeline(flow, scenarioRun);
  }

  async #startTransaction(id: string, { transaction }: Scenario): Promise<WorkflowHandle> {
    const createdAt = new Date(await this.env.currentTimeMs()).toISOString();
    return this.env.client.workflow.start(workflowType, {
      workflowId: transactionWorkflowId(tenant, id),
      taskQueue,
      args: [{ state: newState({ tenant, id, input: transactionInputOf(transaction), createdAt }) }],
      typedSearchAttributes: [
        { key: searchAttributes.tenant, value: tenant },
        { key: searchAttributes.status, value: 'Open' },
      ],
    });
  }

  /** Executes the scripted steps until the flow run ends. The person acts on each prompt. Between prompts, time is skipped. */
  async #runScript(target: SimulatedTransaction, endMs: number): Promise<void> {
    for (;;) {
      const run = target.scenarioRun.run;
      if (run && !isRunning(run)) return;
      if ((await this.env.currentTimeMs()) > endMs)
        throw new Error('The flow run took longer than its calculated maximum: this is a bug.');
      if (run?.awaiting && !('until' in run.awaiting)) await this.#actOnPrompt(target, run);
      else await this.#skipTime(target);
    }
  }

  /** Skips time until the flow run changes. */
  async #skipTime({ scenarioRun }: SimulatedTransaction): Promise<void> {
    const runBefore = scenarioRun.run;
    for (let pollMs = firstPollMs; scenarioRun.run === runBefore; pollMs = Math.min(2 * pollMs, longestPollMs)) {
      const awaited = runBefore && viewRun(scenarioRun.state, runBefore).awaited;
      const checkAt = runBefore && isRunning(runBefore) ? deliveryCheckAt(scenarioRun.state, runBefore) : undefined;
      const deadlineMs = awaited && Date.parse(checkAt ?? ('until' in awaited ? awaited.until : awaited.expiresAt));
      const leftMs = deadlineMs === undefined ? 0 : deadlineMs - (await this.env.currentTimeMs());
      await this.env.sleep(Math.max(pollMs, leftMs));
    }
  }

  /** Runs the scripted steps of the prompt that the flow run waits for. Ends when the flow run has left the step that made the prompt. */
  async #actOnPrompt(target: SimulatedTransaction, run: FlowRun): Promise<void> {
    const { scenarioRun } = target;
    const { awaiting } = run;
    const step = run.plan?.flow.steps[currentStepName(run)];
    if (!awaiting || !step || 'until' in awaiting) return;
    const topic = step.kind === 'confirm' ? step.channel : 'pictures';
    const promptId = 'confirmationId' in awaiting ? awaiting.confirmationId : awaiting.biometricsId;
    const isCurrent = () => scenarioRun.run?.path.length === run.path.length && scenarioRun.run.status === 'Running';
    for (
      let scriptedStep = scenarioRun.firstStep(promptId, topic);
      scriptedStep && isCurrent();
      scriptedStep = scenarioRun.script.next(topic)
    ) {
      if (scriptedStep.action.does === 'ignores') scenarioRun.script.markUsed(scriptedStep);
      if (scriptedStep.action.does === 'ignores' || !(await this.#runStep(target, run, scriptedStep, isCurrent))) break;
    }
    while (isCurrent()) await this.#skipTime(target);
  }

  /** Runs a scripted step at its time. Returns false if the prompt ended before this time. */
  async #runStep(
    target: SimulatedTransaction,
    run: FlowRun,
    step: ScriptedStep,
    isCurrent: () => boolean,
  ): Promise<boolean> {
    await this.env.sleep(step.afterSeconds * 1_000);
    if (!isCurrent()) return false;
    const atMs = await this.env.currentTimeMs();
    const description = await runScriptedStep(target, step.action).catch((error: unknown) => {
      const text = rejectionText(error, step);
      target.scenarioRun.script.markRejected(step);
      return text;
    });
    // A scripted step such as `provider refuses` takes effect when something is sent. Here it does nothing.
    if (!description) return true;
    target.scenarioRun.script.markUsed(step);
    target.scenarioRun.addEntry(atMs, currentStepName(run), description);
    return true;
  }
}

async function startServer(): Promise<TestWorkflowEnvironment> {
  const path = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (!path) throw new UsageError('TEMPORAL_TEST_SERVER_PATH is not set. Run `npm run flow`.');
  const server = await startTestServer(path);
  const env = await connectToTestServer(server.address);
  const disconnect = env.teardown.bind(env);
  env.teardown = async () => {
    await disconnect();
    await server.stop();
  };
  return env;
}

/**
 * Starts a test server that skips waiting times. The result runs flows in the real workflow on this server. Its method `stop` stops the
 * server.
 */
export async function simulateOnServer(
  openServer: () => Promise<TestWorkflowEnvironment> = startServer,
): Promise<Simulation & { stop: () => Promise<void> }> {
  // With `forward`, the native core of the Temporal SDK sends its log to this logger, which keeps only errors. Without `forward`, the core
  // would write its log to the output of the simulation.
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {} } } });
  const simulation = new ServerSimulation(await openServer());
  await simulation.start();
  return simulation;
}
