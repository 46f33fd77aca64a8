import { condition, sleep } from '@temporalio/workflow';
import { type Awaiting, placeOf, type Running, stepOf } from '../../domain/flows/run';
import type { BiometricsLinks } from '../biometrics';
import type { Confirmations } from '../confirmations';
import { inMs, type LiveTransaction, now } from '../live-transaction';
import { BiometricsSteps } from './biometrics-steps';
import { ConfirmSteps } from './confirm-steps';
import { decideStep } from './decide-step';
import { notifyStep } from './notify-step';
import { RunVisit } from './run-visit';

/** What a flow run does in each kind of step. */
export class FlowSteps {
  readonly #confirm: ConfirmSteps;
  readonly #biometrics: BiometricsSteps;
  /** Runs whose first step has begun. */
  readonly #begun = new Set<string>();

  constructor(
    private readonly live: LiveTransaction,
    confirmations: Confirmations,
    links: BiometricsLinks,
  ) {
    this.#confirm = new ConfirmSteps(live, confirmations);
    this.#biometrics = new BiometricsSteps(live, links);
  }

  hasBegun(runId: string): boolean {
    return this.#begun.has(runId);
  }

  checkResend(run: Running): void {
    this.#confirm.checkResend(run);
  }

  resend(run: Running): Promise<void> {
    return this.#confirm.resend(run);
  }

  /** Begins the step that a run is in, or waits for what ends it. Returns when the run may have moved. */
  async take(run: Running): Promise<void> {
    const visit = new RunVisit(this.live, run);
    const begun = () => this.#begun.add(run.id);
    if (run.awaiting) {
      begun();
      return this.#wait(visit, run.awaiting);
    }
    const step = run.plan.flow.steps[stepOf(run)];
    if (!step || step.kind === 'outcome') throw new Error(`Run ${run.id} has no step to take.`);
    if (step.kind === 'notify') return notifyStep(visit, step, begun);
    await this.live.track(async () => {
      if (step.kind === 'confirm') await this.#confirm.begin(visit);
      else if (step.kind === 'biometrics') await this.#biometrics.begin(visit);
      else if (step.kind === 'decide') await decideStep(visit, step);
      else await visit.exclusive(() => visit.waitFor(step.seconds));
    });
    begun();
  }

  async #wait(visit: RunVisit, awaiting: Awaiting): Promise<void> {
    if ('until' in awaiting) return this.#waitUntil(visit, awaiting.until);
    if ('biometricsId' in awaiting) return this.#biometrics.awaitDecision(visit, awaiting.biometricsId);
    await condition(() => visit.current()?.awaiting !== awaiting);
  }

  async #waitUntil(visit: RunVisit, until: string): Promise<void> {
    const { run } = visit;
    const step = run.plan.flow.steps[stepOf(run)];
    const what = step?.kind === 'wait' ? 'waits' : 'pauses between messages';
    while (now() < until) await sleep(inMs(until), { summary: `${placeOf(run)} ${what}` });
    await visit.waited();
  }
}
