import type { DomainError } from '../../domain/domain-error';
import { leaveStep, leaveStepBy, restartStep } from '../../domain/flows/leave-step';
import { type Awaiting, type FlowRun, isRunning, type Running, stepOf } from '../../domain/flows/run';
import { findRun, withRun } from '../../domain/flows/find-run';
import { addMs } from '../../domain/add-ms';
import type { TransactionState } from '../../domain/state';
import { type LiveTransaction, now } from '../live-transaction';

/**
 * One visit of a flow run to a step. A step changes the run only inside the lock and only during this visit: it never changes a
 * run that moved or ended meanwhile.
 */
export class RunVisit {
  constructor(
    readonly live: LiveTransaction,
    readonly run: Running,
  ) {}

  /** The current state of the run; undefined if it has left this visit. */
  current(): Running | undefined {
    const run = findRun(this.live.state, this.run.id);
    return run && isRunning(run) && run.path.length === this.run.path.length ? run : undefined;
  }

  /** Runs `work` inside the lock; does nothing if the run has left this visit. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    return this.live.exclusive(async () => (this.current() ? work() : undefined));
  }

  /** The change that makes the run wait. */
  readonly awaiting = (awaiting: Awaiting) => (state: TransactionState) => {
    const run = findRun(state, this.run.id);
    return run ? withRun(state, { ...run, awaiting }) : state;
  };

  /** Moves the run. Saves the record if the run ends; otherwise the next step saves it. Only inside `exclusive`. */
  async leave(move: (run: Running) => FlowRun): Promise<void> {
    const run = this.current();
    if (!run) return;
    const moved = move(run);
    this.live.change(withRun(this.live.state, moved));
    if (!isRunning(moved)) await this.live.save();
  }

  /** Leaves the step by one of its exits. Only inside `exclusive`. */
  async leaveBy(exit: string, reason?: string): Promise<void> {
    await this.leave((run) => leaveStepBy(run, exit, now(), reason));
  }

  /** Leaves the step by an exit because of a domain error. After ResendTooSoon, waits instead. Only inside `exclusive`. */
  async leaveByError({ type, details }: DomainError, exit: string): Promise<void> {
    if (type === 'ResendTooSoon') return this.waitFor(details.retryAfterSeconds ?? 1);
    return this.leaveBy(exit, type);
  }

  /** Makes the run wait for a time. Only inside `exclusive`. */
  async waitFor(seconds: number): Promise<void> {
    this.live.change(this.awaiting({ until: addMs(now(), seconds * 1_000) })(this.live.state));
    await this.live.save();
  }

  /** Continues after `waitFor`: leaves a wait step, or starts the step again to send its message. */
  async endWait(): Promise<void> {
    await this.exclusive(async () => {
      const step = this.run.plan.flow.steps[stepOf(this.run)];
      await this.leave((run) =>
        step?.kind === 'wait' ? leaveStep(run, { exit: 'Done', to: step.then }, now()) : restartStep(run),
      );
    });
  }
}
