import { type CancellationScope, condition } from '@temporalio/workflow';
import type { TokenAnswer } from '../domain/token-answer';
import { createDomainError } from '../domain/domain-error';
import { cancelRun, runningRun } from '../domain/flows/cancel-run';
import { earlierCodeError } from '../domain/flows/earlier-code';
import { isRunning, type Running, type RunPlan } from '../domain/flows/run';
import { awaitedConfirmation, findRun } from '../domain/flows/find-run';
import { startRun } from '../domain/flows/start-run';
import { type RunView, viewRun } from '../domain/flows/view-run';
import type { BiometricsLinks } from './biometrics';
import type { Confirmations } from './confirmations';
import type { RunAnswer, RunCommand } from './contract';
import { domainError } from './domain-errors';
import { type LiveTransaction, now } from './live-transaction';
import { FlowSteps } from './steps/flow-steps';

/** The flow runs of one transaction: the commands on them, and the way of each run beside these. */
export class FlowRuns {
  readonly #steps: FlowSteps;
  /** One scope per run that goes on. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
    links: BiometricsLinks,
  ) {
    this.#steps = new FlowSteps(live, confirmations, links);
  }

  /** Continues the runs of a state that was carried over. */
  resume(): void {
    for (const run of this.live.state.runs ?? []) if (isRunning(run)) this.#continue(run.id);
  }

  checkStart(plan: RunPlan): void {
    // A key whose answer is no longer remembered proposes the run that it started: there is one run of an id.
    if (!findRun(this.live.state, plan.runId)) this.#started(plan);
  }

  #started(plan: RunPlan) {
    const started = startRun(this.live.state, plan, now());
    if ('error' in started) throw domainError(started.error);
    return started;
  }

  /** Starts a run, and answers when its first step has begun: a first message was tried once. */
  async start(plan: RunPlan): Promise<RunView> {
    await this.live.exclusive(async () => {
      if (findRun(this.live.state, plan.runId)) return;
      this.live.change(this.#started(plan).state);
      this.#continue(plan.runId);
    });
    const isOver = () => !this.live.state.runs?.some((run) => run.id === plan.runId && isRunning(run));
    await condition(() => this.#steps.hasBegun(plan.runId) || isOver());
    await this.live.exclusive(async () => {
      // A step that asks saves the record itself; one that was left at once has saved nothing yet.
      if (this.live.unsaved) await this.live.save();
    });
    return this.#view(plan.runId);
  }

  checkAnswer({ runId, digests }: RunAnswer): void {
    const earlier = earlierCodeError(this.live.state, runId, digests, now());
    if (earlier) throw domainError(earlier);
    this.confirmations.checkAnswer(this.#valueOf(runId, digests));
  }

  /** Tries a value on the code that a run waits for. */
  async answer({ runId, digests }: RunAnswer, attemptId: string): Promise<{ answer: TokenAnswer; run: RunView }> {
    const answer = await this.confirmations.answer(this.#valueOf(runId, digests), attemptId);
    return { answer, run: this.#view(runId) };
  }

  #valueOf(runId: string, digests: RunAnswer['digests']) {
    const asked = awaitedConfirmation(this.live.state, this.#running(runId));
    const digest = asked && digests[asked.settings.name];
    if (asked?.settings.kind !== 'token' || digest === undefined)
      throw domainError(createDomainError('NothingToAnswer', 'The flow run waits for no code.'));
    return { flow: asked.settings.name, digest };
  }

  checkResend({ runId }: RunCommand): void {
    this.#steps.checkResend(this.#running(runId));
  }

  /** Sends the message of the current step once more. */
  async resend({ runId }: RunCommand): Promise<RunView> {
    await this.#steps.resend(this.#running(runId));
    return this.#view(runId);
  }

  checkCancel({ runId }: RunCommand): void {
    this.#running(runId);
  }

  /** Cancels a run where it is. */
  async cancel({ runId }: RunCommand): Promise<RunView> {
    await this.live.exclusive(async () => {
      const canceled = cancelRun(this.live.state, runId, now());
      if ('error' in canceled) throw domainError(canceled.error);
      this.live.change(canceled.state);
      this.#scopes.get(runId)?.cancel();
      await this.live.save();
    });
    return this.#view(runId);
  }

  /** Cancels every run: an operator canceled the transaction. Only inside `exclusive`. */
  cancelAll(): void {
    for (const { id } of (this.live.state.runs ?? []).filter(isRunning)) this.#cancelBecause(id, 'EndedByOperator');
  }

  #cancelBecause(runId: string, reason: string): void {
    const canceled = cancelRun(this.live.state, runId, now(), reason);
    if ('state' in canceled) this.live.change(canceled.state);
  }

  #running(runId: string): Running {
    const found = runningRun(this.live.state, runId);
    if ('error' in found) throw domainError(found.error);
    return found.run;
  }

  #view(runId: string): RunView {
    const run = findRun(this.live.state, runId);
    if (!run) throw domainError(createDomainError('RunNotFound', 'The transaction has no such flow run.'));
    return viewRun(this.live.state, run);
  }

  /** Takes a run from step to step until it ends. An error of ours ends the run, and leaves the transaction usable. */
  #continue(runId: string): void {
    const scope = this.live.newScope();
    this.#scopes.set(runId, scope);
    const go = async () => {
      for (;;) {
        const run = findRun(this.live.state, runId);
        if (!run || !isRunning(run)) break;
        await this.#steps.take(run);
      }
      this.#scopes.delete(runId);
    };
    const giveUp = () =>
      this.live.exclusive(async () => {
        this.#cancelBecause(runId, 'FaultOfService');
        await this.live.save();
      });
    this.live.inBackground(scope, `flow run ${runId}`, go, giveUp);
  }
}
