import type { DomainError } from '../../domain/domain-error';
import { advanceRuns, needsSave } from '../../domain/flows/advance-runs';
import { type Awaiting, type FlowRun, isRunning, leaveStepByExit, type RunningFlowRun } from '../../domain/flows/run';
import { findRun, withRun } from '../../domain/flows/runs';
import { addMs } from '../../domain/transactions/limits';
import type { TransactionState } from '../../domain/transactions/state';
import type { LiveTransaction } from '../live-transaction';

/**
 * One visit of a flow run to a step. A step changes the flow run only inside the lock, and only during this visit. If the flow run has
 * moved or ended meanwhile, the step changes nothing.
 */
export class RunVisit {
  constructor(
    readonly live: LiveTransaction,
    readonly run: RunningFlowRun,
  ) {}

  /** The current state of the flow run. Undefined if this visit is over. */
  currentRun(): RunningFlowRun | undefined {
    const run = findRun(this.live.state, this.run.id);
    return run && isRunning(run) && run.path.length === this.run.path.length ? run : undefined;
  }

  /** Runs `work` inside the lock. Does nothing if this visit is over. */
  runExclusive<Result>(work: (at: string) => Promise<Result>): Promise<Result | undefined> {
    return this.live.runExclusive(async (at) => (this.currentRun() ? work(at) : undefined));
  }

  /** Returns a function that changes a state, so that the flow run waits for `awaiting`. */
  readonly changeToAwaiting = (awaiting: Awaiting) => (state: TransactionState) => {
    const run = findRun(state, this.run.id);
    return run ? withRun(state, { ...run, awaiting }) : state;
  };

  /** Moves the flow run, and saves the record unless the next steps save it. Call this only inside `runExclusive`. */
  async leave(move: (run: RunningFlowRun) => FlowRun): Promise<void> {
    const run = this.currentRun();
    if (run) await this.#changeAndSave(withRun(this.live.state, move(run)));
  }

  /** Moves the flow run as far as its times allow. Call this only inside `runExclusive`. */
  async advance(at: string): Promise<void> {
    const next = advanceRuns(this.live.state, at);
    if (next !== this.live.state) await this.#changeAndSave(next);
  }

  async #changeAndSave(next: TransactionState): Promise<void> {
    const before = this.live.state;
    this.live.change(next);
    if (needsSave(before, this.live.state)) await this.live.save();
  }

  /** Leaves the step by one of its exits. Call this only inside `runExclusive`. */
  async leaveBy(exit: string, at: string, reason?: string): Promise<void> {
    await this.leave((run) => leaveStepByExit(run, exit, at, reason));
  }

  /**
   * Handles a domain error: leaves the step by `exit`. If the error is ResendTooSoon, waits instead, and then the step starts again. Call
   * this only inside `runExclusive`.
   */
  async leaveOrWait({ type, details }: DomainError, exit: string, at: string): Promise<void> {
    if (type === 'ResendTooSoon') return this.waitFor(details.retryAfterSeconds ?? 1, at);
    return this.leaveBy(exit, at, type);
  }

  /** Makes the flow run wait for some seconds after `at`, before the step starts again. Call this only inside `runExclusive`. */
  async waitFor(seconds: number, at: string): Promise<void> {
    this.live.change(this.changeToAwaiting({ until: addMs(at, seconds * 1_000) })(this.live.state));
    await this.live.save();
  }
}
