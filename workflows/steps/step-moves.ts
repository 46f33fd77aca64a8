import type { Failure } from '../../domain/failures';
import { left, leftBy, notBegun } from '../../domain/flows/move';
import { type Awaiting, type FlowRun, isRunning, type Running, stepOf } from '../../domain/flows/run';
import { runOf, withRun } from '../../domain/flows/runs';
import { later } from '../../domain/later';
import type { TransactionState } from '../../domain/state';
import { type Life, now } from '../life';

/** How runs move, whatever kind of step they are in: a run that moved or ended meanwhile is left as it is. */
export class StepMoves {
  /** Runs whose first step was begun. */
  readonly #begun = new Set<string>();
  #underWay = 0;

  constructor(readonly life: Life) {}

  /** Whether a step is being begun or left. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  begun(runId: string): boolean {
    return this.#begun.has(runId);
  }

  markBegun(run: FlowRun): void {
    this.#begun.add(run.id);
  }

  /** Begins the step of a run. Until then the workflow is busy, and the caller who started the run waits. */
  async during(run: FlowRun, work: () => Promise<void>): Promise<void> {
    this.#underWay += 1;
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      this.markBegun(run);
    }
  }

  /** The run as it is now, while it is still in the same stay in the same step. */
  same(run: FlowRun): Running | undefined {
    const known = runOf(this.life.state, run.id);
    return known && isRunning(known) && known.path.length === run.path.length ? known : undefined;
  }

  /** The change that has a run await something. */
  readonly awaiting = (run: FlowRun, awaiting: Awaiting) => (state: TransactionState) => {
    const known = runOf(state, run.id);
    return known ? withRun(state, { ...known, awaiting }) : state;
  };

  /** Moves the run, unless it has moved or ended meanwhile. What ends it is kept at once; the next step keeps all else. */
  async leave(run: FlowRun, move: (known: Running) => FlowRun): Promise<void> {
    const known = this.same(run);
    if (!known) return;
    this.#underWay += 1;
    try {
      const moved = move(known);
      this.life.change(withRun(this.life.state, moved));
      if (!isRunning(moved)) await this.life.save();
    } finally {
      this.#underWay -= 1;
    }
  }

  async leaveBy(run: FlowRun, exit: string, reason?: string): Promise<void> {
    await this.leave(run, (known) => leftBy(known, exit, now(), reason));
  }

  /** What is certain to be refused ends the step by the exit for it; a channel that was just used is waited for. */
  async refused(run: FlowRun, { type, details }: Failure, exit: string): Promise<void> {
    if (type === 'ResendTooSoon') return this.waitFor(run, details.retryAfterSeconds ?? 1);
    return this.leaveBy(run, exit, type);
  }

  async waitFor(run: FlowRun, seconds: number): Promise<void> {
    this.life.change(this.awaiting(run, { until: later(now(), seconds * 1_000) })(this.life.state));
    await this.life.save();
  }

  /** The time that a run waited for has come: its wait is over, or its message may be sent. */
  async goOn(run: Running): Promise<void> {
    const step = run.plan.flow.steps[stepOf(run)];
    if (step?.kind === 'wait') return this.leave(run, (known) => left(known, { exit: 'Done', to: step.then }, now()));
    return this.leave(run, notBegun);
  }
}
