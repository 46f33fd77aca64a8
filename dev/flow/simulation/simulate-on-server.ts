import { randomBytes, randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { runPlanOf } from '../../../api/flows/runs/run-plan';
import { boundsOf } from '../../../domain/flows/bounds';
import type { FlowDefinition } from '../../../domain/flows/definition';
import { FlowError } from '../../../domain/flows/flow-error';
import { type FlowRun, isRunning, stepOf } from '../../../domain/flows/run';
import { viewRun } from '../../../domain/flows/view-run';
import { deriveCode } from '../../../platform/codes';
import { deriveKeys } from '../../../platform/keys';
import { createLogger } from '../../../platform/logger';
import { ensureSearchAttributes } from '../../../platform/temporal';
import { bundleWorkflows } from '../../../worker/bundle';
import { createWorker, type WorkerPair } from '../../../worker/create-worker';
import * as contract from '../../../workflows/contract';
import type { ScriptedStep } from '../scripted-step';
import type { Scenario } from '../scenario';
import { runScriptedStep, rejectionText, type SimulatedTransaction } from './run-scripted-step';
import { ScenarioRun } from './scenario-run';
import { createSimulatedActivities } from './simulated-activities';
import { personOf } from '../scenario-transaction';
import { buildTimeline } from './build-timeline';
import type { Simulation, Timeline } from '../timeline';

const taskQueue = 'simulation';
const tenant = 'simulation';

/** As the local stack has it. */
const planParts = {
  config: {
    BRAND: 'Countersign',
    DEFAULT_LANGUAGE: 'pt-BR' as const,
    ALLOWED_COUNTRIES: ['55'],
    REQUIRE_VERIFIED_EMAIL: false,
  },
  confirmations: new Map(),
  biometrics: () => ({ linkSeconds: 86_400, channels: [], imageDays: 90, imageLinkSeconds: 300 }),
};

/** A step that is between two things is looked at again after this, and each time after twice as long. */
const firstLookMs = 1_000;
const longestLookMs = 60_000;

/** Flows in the real workflow, on a server that skips time. */
class ServerSimulation implements Simulation {
  readonly #scenarioRuns = new Map<string, ScenarioRun>();
  readonly #keys = deriveKeys(randomBytes(32).toString('base64'));
  #run: Promise<void> | undefined;
  #worker: WorkerPair | undefined;

  constructor(private readonly env: TestWorkflowEnvironment) {}

  async start(): Promise<void> {
    await ensureSearchAttributes(this.env.connection, 'default', Object.values(contract.searchAttributes));
    this.#worker = await createWorker({
      connection: this.env.nativeConnection,
      namespace: 'default',
      taskQueue,
      activities: createSimulatedActivities(this.#keys, this.#scenarioRuns),
      cachedWorkflows: 20,
      workflowBundle: await bundleWorkflows(),
      logger: createLogger('simulation', 'silent'),
    });
    this.#run = this.#worker.run();
  }

  async stop(): Promise<void> {
    this.#worker?.shutdown();
    await this.#run;
    await this.env.teardown();
  }

  async run(flow: FlowDefinition, scenario: Scenario): Promise<Timeline> {
    const id = randomUUID();
    const scenarioRun = new ScenarioRun(scenario, ({ transactionId, confirmationId, flow: { codeDigits = 6 } }) =>
      deriveCode(this.#keys, transactionId, confirmationId, codeDigits),
    );
    this.#scenarioRuns.set(id, scenarioRun);
    const handle = await this.#open(id, scenario);
    scenarioRun.plan = runPlanOf({ ...planParts, keys: this.#keys }, { tenant, id }, flow, () => randomUUID());
    const begunAt = await this.env.currentTimeMs();
    await handle.executeUpdate(contract.startFlow, {
      args: [scenarioRun.plan, { fingerprint: 'simulated', repeatable: false }],
    });
    const target = { handle, scenarioRun, keys: this.#keys, transactionId: id, runId: scenarioRun.plan.runId };
    await this.#play(target, begunAt + boundsOf(flow).seconds * 1_000);
    // The transaction is left as it is: it sleeps, and ending it under way is what the server takes badly.
    return buildTimeline(flow, scenarioRun);
  }

  async #open(id: string, { transaction }: Scenario): Promise<WorkflowHandle> {
    const createdAt = new Date(await this.env.currentTimeMs()).toISOString();
    return this.env.client.workflow.start(contract.workflowType, {
      workflowId: contract.transactionWorkflowId(tenant, id),
      taskQueue,
      args: [{ createdFrom: { tenant, id, input: personOf(transaction), createdAt } }],
      typedSearchAttributes: [
        { key: contract.searchAttributes.tenant, value: tenant },
        { key: contract.searchAttributes.status, value: 'Open' },
      ],
    });
  }

  /** Plays ask after ask until the run has ended. The person acts on what is awaited, and time passes where they do not. */
  async #play(target: SimulatedTransaction, endMs: number): Promise<void> {
    for (;;) {
      const run = target.scenarioRun.run;
      if (run && !isRunning(run)) return;
      if ((await this.env.currentTimeMs()) > endMs)
        throw new FlowError('The run takes longer than its bound says: this is an issue of ours.');
      if (run?.awaiting && !('until' in run.awaiting)) await this.#ask(target, run);
      else await this.#pass(target);
    }
  }

  /** Lets time pass until the run is elsewhere: what it awaits is over when it says so, and not before. */
  async #pass({ scenarioRun }: SimulatedTransaction): Promise<void> {
    const before = scenarioRun.run;
    for (let lookMs = firstLookMs; scenarioRun.run === before; lookMs = Math.min(2 * lookMs, longestLookMs)) {
      const awaited = before && viewRun(scenarioRun.state, before).awaited;
      const due = awaited && Date.parse('until' in awaited ? awaited.until : awaited.expiresAt);
      const leftMs = due === undefined ? 0 : due - (await this.env.currentTimeMs());
      await this.env.sleep(Math.max(lookMs, leftMs));
    }
  }

  async #ask(target: SimulatedTransaction, run: FlowRun): Promise<void> {
    const { scenarioRun } = target;
    const { awaiting } = run;
    const step = run.plan?.flow.steps[stepOf(run)];
    if (!awaiting || !step || 'until' in awaiting) return;
    const about = step.kind === 'confirm' ? step.channel : 'pictures';
    const ask = 'confirmationId' in awaiting ? awaiting.confirmationId : awaiting.biometricsId;
    const here = () => scenarioRun.run?.path.length === run.path.length && scenarioRun.run.status === 'Running';
    for (let line = scenarioRun.firstLine(ask, about); line && here(); line = scenarioRun.script.next(about)) {
      if (line.act.does === 'ignores') scenarioRun.script.came(line);
      if (line.act.does === 'ignores' || !(await this.#playIn(target, run, line, here))) break;
    }
    while (here()) await this.#pass(target);
  }

  /** Plays a line once its time has come. False when the step was over before. */
  async #playIn(target: SimulatedTransaction, run: FlowRun, line: ScriptedStep, here: () => boolean): Promise<boolean> {
    await this.env.sleep(line.afterSeconds * 1_000);
    if (!here()) return false;
    const at = await this.env.currentTimeMs();
    const words = await runScriptedStep(target, line.act).catch((error: unknown) => rejectionText(error, line));
    // A provider or a webhook that refuses does so where something is sent, and not here.
    if (!words) return true;
    target.scenarioRun.script.came(line);
    target.scenarioRun.tell(at, stepOf(run), words);
    return true;
  }
}

async function startServer(): Promise<TestWorkflowEnvironment> {
  const path = process.env['TEMPORAL_TEST_SERVER_PATH'];
  if (!path) throw new FlowError('TEMPORAL_TEST_SERVER_PATH is not set: use `npm run flow`.');
  const server = { executable: { type: 'existing-path' as const, path } };
  return TestWorkflowEnvironment.createTimeSkipping({ server });
}

/** Runs flows in the real workflow, on a server that skips time. Stop it in the end: the server is a process of its own. */
export async function simulateOnServer(
  openServer: () => Promise<TestWorkflowEnvironment> = startServer,
): Promise<Simulation & { stop: () => Promise<void> }> {
  // Lines of the SDK's core go through the logger, so that a simulation is alone on the output.
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { forward: {} } } });
  const simulation = new ServerSimulation(await openServer());
  await simulation.start();
  return simulation;
}
