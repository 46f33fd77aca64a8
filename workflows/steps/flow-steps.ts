import { condition, sleep } from '@temporalio/workflow';
import { type Awaiting, type FlowRun, placeOf, type Running, stepOf } from '../../domain/flows/run';
import type { BiometricsLinks } from '../biometrics';
import type { Confirmations } from '../confirmations';
import { inMs, type Life, now } from '../life';
import { BiometricsSteps } from './biometrics-steps';
import { ConfirmSteps } from './confirm-steps';
import { decideStep } from './decide-step';
import { notifyStep } from './notify-step';
import { StepMoves } from './step-moves';

/** What a run does in each kind of step. */
export class FlowSteps {
  readonly #moves: StepMoves;
  readonly #confirm: ConfirmSteps;
  readonly #biometrics: BiometricsSteps;

  constructor(life: Life, confirmations: Confirmations, links: BiometricsLinks) {
    this.#moves = new StepMoves(life);
    this.#confirm = new ConfirmSteps(this.#moves, confirmations);
    this.#biometrics = new BiometricsSteps(this.#moves, links);
  }

  /** Whether a step is being begun. */
  get busy(): boolean {
    return this.#moves.busy;
  }

  begun(runId: string): boolean {
    return this.#moves.begun(runId);
  }

  checkAgain(run: FlowRun): void {
    this.#confirm.checkAgain(run);
  }

  askAgain(run: FlowRun): Promise<void> {
    return this.#confirm.askAgain(run);
  }

  /** Begins the step that a run is in, or waits for what ends it. Returns when the run may have moved. */
  async take(run: Running): Promise<void> {
    const moves = this.#moves;
    const step = run.plan.flow.steps[stepOf(run)];
    if (!step || step.kind === 'outcome') throw new Error(`Run ${run.id} has no step to take.`);
    if (run.awaiting) return this.#wait(run, run.awaiting);
    if (step.kind === 'confirm') await moves.during(run, () => this.#confirm.begin(run));
    else if (step.kind === 'biometrics') await moves.during(run, () => this.#biometrics.begin(run));
    else if (step.kind === 'decide') await moves.during(run, () => decideStep(moves, run, step));
    else if (step.kind === 'wait') await moves.during(run, () => moves.waitFor(run, step.seconds));
    else await notifyStep(moves, run, step);
  }

  async #wait(run: Running, awaiting: Awaiting): Promise<void> {
    this.#moves.markBegun(run);
    if ('until' in awaiting) return this.#waitUntil(run, awaiting.until);
    if ('biometricsId' in awaiting) return this.#biometrics.awaitDecision(run, awaiting.biometricsId);
    const same = () => this.#moves.same(run)?.awaiting === run.awaiting;
    await condition(() => !same());
  }

  async #waitUntil(run: Running, until: string): Promise<void> {
    const step = run.plan.flow.steps[stepOf(run)];
    const what = step?.kind === 'wait' ? 'waits' : 'pauses between messages';
    while (now() < until) await sleep(inMs(until), { summary: `${placeOf(run)} ${what}` });
    await this.#moves.goOn(run);
  }
}
