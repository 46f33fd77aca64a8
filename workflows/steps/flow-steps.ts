import { condition, sleep } from '@temporalio/workflow';
import type { Step } from '../../domain/flows/definition';
import { type Awaiting, originOf, type RunningFlowRun, currentStepName } from '../../domain/flows/run';
import type { TransactionState } from '../../domain/state';
import type { BiometricsLinks } from '../biometrics-links';
import type { Confirmations } from '../confirmations';
import { msUntil, type LiveTransaction, now } from '../live-transaction';
import { BiometricsSteps } from './biometrics-steps';
import { ConfirmSteps } from './confirm-steps';
import { decideStep } from './decide-step';
import { notifyStep } from './notify-step';
import { RunVisit } from './run-visit';

/** What a flow run does in each kind of step. */
export class FlowSteps {
  readonly #confirm: ConfirmSteps;
  readonly #biometrics: BiometricsSteps;
  /** The ids of flow runs whose first step has started in this workflow run. */
  readonly #started = new Set<string>();

  constructor(
    private readonly live: LiveTransaction,
    confirmations: Confirmations,
    links: BiometricsLinks,
  ) {
    this.#confirm = new ConfirmSteps(live, confirmations);
    this.#biometrics = new BiometricsSteps(live, links);
  }

  hasStarted(runId: string): boolean {
    return this.#started.has(runId);
  }

  /** See `ConfirmSteps.resend`. */
  resend(
    run: RunningFlowRun,
    at: string,
    withResponse: (state: TransactionState) => TransactionState,
  ): Promise<() => Promise<void>> {
    return this.#confirm.resend(run, at, withResponse);
  }

  /**
   * Starts the current step of a flow run. If the step has already started, waits until it ends. After this, the flow run may be at another
   * step.
   */
  async runStep(run: RunningFlowRun): Promise<void> {
    const visit = new RunVisit(this.live, run);
    const markStarted = () => this.#started.add(run.id);
    if (run.awaiting) {
      markStarted();
      return this.#wait(visit, run.awaiting);
    }
    const step = run.plan.flow.steps[currentStepName(run)];
    if (!step || step.kind === 'outcome') throw new Error(`Flow run ${run.id} has no step to take: this is a bug.`);
    if (step.kind === 'notify') return notifyStep(visit, step, markStarted);
    await this.live.keepRunningDuring(async () => {
      if (step.kind === 'confirm') await this.#confirm.start(visit);
      else if (step.kind === 'biometrics') await this.#biometrics.start(visit);
      else if (step.kind === 'decide') await decideStep(visit, step);
      else await visit.runExclusive((at) => visit.waitFor(step.seconds, at));
    });
    markStarted();
  }

  async #wait(visit: RunVisit, awaiting: Awaiting): Promise<void> {
    if ('until' in awaiting) return this.#waitUntil(visit, awaiting.until);
    if ('biometricsId' in awaiting) return this.#biometrics.awaitDecision(visit, awaiting.biometricsId);
    await condition(() => visit.currentRun()?.awaiting !== awaiting);
  }

  async #waitUntil(visit: RunVisit, until: string): Promise<void> {
    const { run } = visit;
    const step = run.plan.flow.steps[currentStepName(run)];
    while (now() < until) await sleep(msUntil(until), { summary: `${originOf(run)}: ${endOfWait(step?.kind)}` });
    await (step?.kind === 'decide' ? decideStep(visit, step, true) : visit.endWait());
  }
}

/** What happens when the wait of a flow run ends, for the summary of its timer. */
function endOfWait(kind: Step['kind'] | undefined): string {
  if (kind === 'wait') return 'the wait ends';
  return kind === 'decide' ? 'the rules are evaluated again' : 'the next message may be sent';
}
