import { type CancellationScope, condition } from '@temporalio/workflow';
import type { CodeResult } from '../domain/check-code';
import { createDomainError } from '../domain/domain-error';
import { cancelRun, findRunningRun } from '../domain/flows/cancel-run';
import { earlierCodeError } from '../domain/flows/earlier-code';
import { isRunning, type RunningFlowRun, type RunPlan } from '../domain/flows/run';
import { confirmationAwaitedBy, findRun } from '../domain/flows/find-run';
import { findRunToResend, startRun } from '../domain/flows/start-run';
import { type RunView, viewRun } from '../domain/flows/view-run';
import type { BiometricsLinks } from './biometrics-links';
import type { Confirmations } from './confirmations';
import type { RunAttempt, RunCommand, TokenAttempt } from './contract';
import { toFailure, unwrap } from './failures';
import type { WithResponse } from './idempotency';
import { type LiveTransaction, now } from './live-transaction';
import { FlowSteps } from './steps/flow-steps';

/** The flow runs of one transaction: their commands, and the path of each flow run from step to step. */
export class FlowRuns {
  readonly #steps: FlowSteps;
  /** The Temporal scope of each flow run that has not ended, by id. It cancels the step. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
    links: BiometricsLinks,
  ) {
    this.#steps = new FlowSteps(live, confirmations, links);
    live.onChange(() => this.#stopCanceledRuns());
  }

  /** Continues the flow runs in a new workflow run. */
  resume(): void {
    for (const run of this.live.state.runs ?? []) if (isRunning(run)) this.#continue(run.id);
  }

  /** The precondition of `start`: throws its domain error. */
  checkStart(plan: RunPlan): void {
    // A repeat with the same idempotency key proposes the same id. If the first answer is no longer remembered, the repeat gets the flow
    // run of the first request.
    if (!findRun(this.live.state, plan.runId)) this.#applyStart(plan, now());
  }

  #applyStart(plan: RunPlan, at: string) {
    return unwrap(startRun(this.live.state, plan, at));
  }

  /**
   * Starts a flow run. Returns when its first step has started. If that step sends a message, returns after the first attempt to send it.
   */
  async start(plan: RunPlan): Promise<RunView> {
    await this.live.runExclusive(async (at) => {
      if (findRun(this.live.state, plan.runId)) return;
      this.live.change(this.#applyStart(plan, at).state);
      this.#continue(plan.runId);
    });
    const hasEnded = () => !this.live.state.runs?.some((run) => run.id === plan.runId && isRunning(run));
    await condition(() => this.#steps.hasStarted(plan.runId) || hasEnded() || this.live.isEnding);
    await this.live.runExclusive(async () => {
      // If the step has sent a message, it has saved the record. If it ended immediately, it has not saved the record.
      if (this.live.hasUnsavedChanges) await this.live.save();
    });
    return this.#view(plan.runId);
  }

  /** The precondition of `answer`: throws its domain error. */
  checkAnswer(typed: RunAttempt): void {
    const error = earlierCodeError(this.live.state, typed.runId, typed.digests, now());
    if (error) throw toFailure(error);
    this.confirmations.checkAnswer(this.#tokenOf(typed));
  }

  /** Checks the code for which a flow run waits. */
  async answer(
    typed: RunAttempt,
    attemptId: string,
    withResponse: WithResponse<{ answer: CodeResult; run: RunView }>,
  ): Promise<{ answer: CodeResult; run: RunView }> {
    const withAnswer: WithResponse<CodeResult> = (state, result) =>
      withResponse(state, { answer: result, run: this.#view(typed.runId, state) });
    const answer = await this.confirmations.answer(this.#tokenOf(typed), attemptId, withAnswer);
    return { answer, run: this.#view(typed.runId) };
  }

  /**
   * The token for which a flow run waits: the name of its settings, such as `sms-token`, and the typed code. `digests`: one digest of the
   * typed code for each name, because the API does not know for which token the flow run waits.
   */
  #tokenOf({ runId, digests, digits }: RunAttempt): TokenAttempt {
    const confirmation = confirmationAwaitedBy(this.live.state, this.#requireRunning(runId));
    const digest = confirmation && digests[confirmation.settings.name];
    if (confirmation?.settings.kind !== 'token' || digest === undefined)
      throw toFailure(createDomainError('NothingToAnswer', 'The flow run does not wait for a code.'));
    return { name: confirmation.settings.name, digest, ...(digits === undefined ? {} : { digits }) };
  }

  /** The precondition of `resend`: throws its domain error. */
  checkResend({ runId }: RunCommand): void {
    this.#steps.checkResend(this.#requireResendable(runId));
  }

  /** Resends the message of the current step. */
  async resend({ runId }: RunCommand, withResponse: WithResponse<RunView>): Promise<RunView> {
    await this.#steps.resend(this.#requireResendable(runId), (state) => withResponse(state, this.#view(runId, state)));
    return this.#view(runId);
  }

  /** The precondition of `cancel`: throws its domain error. */
  checkCancel({ runId }: RunCommand): void {
    this.#requireRunning(runId);
  }

  /** Cancels a flow run at its current step. */
  async cancel({ runId }: RunCommand, withResponse: WithResponse<RunView>): Promise<RunView> {
    await this.live.runExclusive(async (at) => {
      this.live.change(unwrap(cancelRun(this.live.state, runId, at)).state);
      await this.live.save((state) => withResponse(state, this.#view(runId, state)));
    });
    return this.#view(runId);
  }

  /** Cancels every flow run, because an operator canceled the workflow. Call this only inside `runExclusive`. */
  cancelAll(at: string): void {
    for (const { id } of (this.live.state.runs ?? []).filter(isRunning))
      this.#cancelWithReason(id, at, 'EndedByOperator');
  }

  #cancelWithReason(runId: string, at: string, reason: string): void {
    const result = cancelRun(this.live.state, runId, at, reason);
    if ('state' in result) this.live.change(result.state);
  }

  /** Stops the timers of flow runs that were canceled, by a request or by a denial. */
  #stopCanceledRuns(): void {
    for (const [id, scope] of this.#scopes) {
      if (findRun(this.live.state, id)?.status !== 'Canceled') continue;
      this.#scopes.delete(id);
      scope.cancel();
    }
  }

  #requireRunning(runId: string): RunningFlowRun {
    return unwrap(findRunningRun(this.live.state, runId)).run;
  }

  #requireResendable(runId: string): RunningFlowRun {
    return unwrap(findRunToResend(this.live.state, runId)).run;
  }

  #view(runId: string, state = this.live.state): RunView {
    const run = findRun(state, runId);
    if (!run) throw toFailure(createDomainError('RunNotFound', 'The transaction has no such flow run.'));
    return viewRun(state, run);
  }

  /** Runs step after step in the background until the flow run ends. An unexpected error cancels only the flow run, not the transaction. */
  #continue(runId: string): void {
    const scope = this.live.newScope();
    this.#scopes.set(runId, scope);
    const runSteps = async () => {
      try {
        for (;;) {
          const run = findRun(this.live.state, runId);
          if (!run || !isRunning(run)) break;
          await this.#steps.runStep(run);
        }
      } finally {
        this.#scopes.delete(runId);
      }
    };
    const cancelAfterError = () =>
      this.live.runExclusive(async (at) => {
        this.#cancelWithReason(runId, at, 'ServiceError');
        await this.live.save();
      });
    this.live.runInBackground(scope, `flow run ${runId}`, runSteps, cancelAfterError);
  }
}
