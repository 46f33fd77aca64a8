import { type CancellationScope, condition } from '@temporalio/workflow';
import type { TokenAnswer } from '../domain/token-answer';
import { createDomainError } from '../domain/domain-error';
import { cancelRun, runningRun } from '../domain/flows/cancel-run';
import { earlierCodeError } from '../domain/flows/earlier-code';
import { isRunning, type Running, type RunPlan } from '../domain/flows/run';
import { awaitedConfirmation, findRun } from '../domain/flows/find-run';
import { startRun } from '../domain/flows/start-run';
import { type RunView, viewRun } from '../domain/flows/view-run';
import type { BiometricsLinks } from './biometrics-links';
import type { Confirmations } from './confirmations';
import type { RunAnswer, RunCommand } from './contract';
import { domainError, unwrap } from './domain-errors';
import { type LiveTransaction, now } from './live-transaction';
import { FlowSteps } from './steps/flow-steps';

/** The flow runs of one transaction: their commands, and the path of each run from step to step. */
export class FlowRuns {
  readonly #steps: FlowSteps;
  /** By id of a running flow run: the scope of its steps. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
    links: BiometricsLinks,
  ) {
    this.#steps = new FlowSteps(live, confirmations, links);
  }

  /** Continues the runs of a resumed state. */
  resume(): void {
    for (const run of this.live.state.runs ?? []) if (isRunning(run)) this.#continue(run.id);
  }

  checkStart(plan: RunPlan): void {
    // A repeat whose answer is no longer remembered proposes the same id: it gets the run of the first request.
    if (!findRun(this.live.state, plan.runId)) this.#start(plan);
  }

  #start(plan: RunPlan) {
    return unwrap(startRun(this.live.state, plan, now()));
  }

  /** Starts a run. Returns when its first step has started, after the first attempt of its message. */
  async start(plan: RunPlan): Promise<RunView> {
    await this.live.exclusive(async () => {
      if (findRun(this.live.state, plan.runId)) return;
      this.live.change(this.#start(plan).state);
      this.#continue(plan.runId);
    });
    const hasEnded = () => !this.live.state.runs?.some((run) => run.id === plan.runId && isRunning(run));
    await condition(() => this.#steps.hasStarted(plan.runId) || hasEnded());
    await this.live.exclusive(async () => {
      // A step that sends a message has saved the record. A step that ended immediately has not.
      if (this.live.unsaved) await this.live.save();
    });
    return this.#view(plan.runId);
  }

  checkAnswer({ runId, digests }: RunAnswer): void {
    const earlier = earlierCodeError(this.live.state, runId, digests, now());
    if (earlier) throw domainError(earlier);
    this.confirmations.checkAnswer(this.#tokenOf(runId, digests));
  }

  /** Checks the code that a run waits for. */
  async answer({ runId, digests }: RunAnswer, attemptId: string): Promise<{ answer: TokenAnswer; run: RunView }> {
    const answer = await this.confirmations.answer(this.#tokenOf(runId, digests), attemptId);
    return { answer, run: this.#view(runId) };
  }

  /** The token that a run waits for, with the digest for it. */
  #tokenOf(runId: string, digests: RunAnswer['digests']) {
    const awaited = awaitedConfirmation(this.live.state, this.#running(runId));
    const digest = awaited && digests[awaited.settings.name];
    if (awaited?.settings.kind !== 'token' || digest === undefined)
      throw domainError(createDomainError('NothingToAnswer', 'The flow run does not wait for a code.'));
    return { name: awaited.settings.name, digest };
  }

  checkResend({ runId }: RunCommand): void {
    this.#steps.checkResend(this.#running(runId));
  }

  /** Resends the message of the current step. */
  async resend({ runId }: RunCommand): Promise<RunView> {
    await this.#steps.resend(this.#running(runId));
    return this.#view(runId);
  }

  checkCancel({ runId }: RunCommand): void {
    this.#running(runId);
  }

  /** Cancels a run at its current step. */
  async cancel({ runId }: RunCommand): Promise<RunView> {
    await this.live.exclusive(async () => {
      this.live.change(unwrap(cancelRun(this.live.state, runId, now())).state);
      this.#scopes.get(runId)?.cancel();
      await this.live.save();
    });
    return this.#view(runId);
  }

  /** Cancels every run because an operator canceled the transaction. Only inside `exclusive`. */
  cancelAll(): void {
    for (const { id } of (this.live.state.runs ?? []).filter(isRunning)) this.#cancelBecause(id, 'EndedByOperator');
  }

  #cancelBecause(runId: string, reason: string): void {
    const canceled = cancelRun(this.live.state, runId, now(), reason);
    if ('state' in canceled) this.live.change(canceled.state);
  }

  #running(runId: string): Running {
    return unwrap(runningRun(this.live.state, runId)).run;
  }

  #view(runId: string): RunView {
    const run = findRun(this.live.state, runId);
    if (!run) throw domainError(createDomainError('RunNotFound', 'The transaction has no such flow run.'));
    return viewRun(this.live.state, run);
  }

  /** Takes a run from step to step until it ends. An unexpected error cancels the run only: the transaction stays usable. */
  #continue(runId: string): void {
    const scope = this.live.newScope();
    this.#scopes.set(runId, scope);
    const takeSteps = async () => {
      try {
        for (;;) {
          const run = findRun(this.live.state, runId);
          if (!run || !isRunning(run)) break;
          await this.#steps.take(run);
        }
      } finally {
        this.#scopes.delete(runId);
      }
    };
    const cancelAfterError = () =>
      this.live.exclusive(async () => {
        this.#cancelBecause(runId, 'FaultOfService');
        await this.live.save();
      });
    this.live.inBackground(scope, `flow run ${runId}`, takeSteps, cancelAfterError);
  }
}
