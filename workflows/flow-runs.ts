import { type CancellationScope, condition } from '@temporalio/workflow';
import type { CodeResult } from '../domain/check-code';
import type { DecidedAttempt } from '../domain/confirmation-commands';
import { createDomainError } from '../domain/domain-error';
import { cancelRun, type ChangedRun } from '../domain/flows/cancel-run';
import { type FlowRun, isRunning, type RunningFlowRun, type RunPlan } from '../domain/flows/run';
import type { RunCommand } from '../domain/flows/run-commands';
import { findRun } from '../domain/flows/find-run';
import { type RunView, viewRun } from '../domain/flows/view-run';
import type { BiometricsLinks } from './biometrics-links';
import type { Confirmations } from './confirmations';
import { toFailure } from './failures';
import type { WithResponse } from './idempotency';
import type { LiveTransaction } from './live-transaction';
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

  /**
   * Starts a decided flow run. Call this only inside `runExclusive`. Returns the work that waits until the first step has started. If that
   * step sends a message, the work ends after the first attempt to send it.
   */
  start(decided: { existing: FlowRun } | ChangedRun, { runId }: RunPlan): () => Promise<RunView> {
    if ('state' in decided) {
      this.live.change(decided.state);
      this.#continue(runId);
    }
    return async () => {
      const hasEnded = () => !this.live.state.runs?.some((run) => run.id === runId && isRunning(run));
      await condition(() => this.#steps.hasStarted(runId) || hasEnded() || this.live.isEnding);
      await this.live.runExclusive(async () => {
        // If the step has sent a message, it has saved the record. If it ended immediately, it has not saved the record.
        if (this.live.hasUnsavedChanges) await this.live.save();
      });
      return this.#view(runId);
    };
  }

  /** Saves a decided attempt at the code for which a flow run waits. Call this only inside `runExclusive`. */
  async saveAttempt(
    attempt: DecidedAttempt,
    { runId }: RunCommand,
    updateId: string,
    withResponse: WithResponse<{ answer: CodeResult; run: RunView }>,
  ): Promise<{ answer: CodeResult; run: RunView }> {
    const withAnswer: WithResponse<CodeResult> = (state, answer) =>
      withResponse(state, { answer, run: this.#view(runId, state) });
    const answer = await this.confirmations.saveAttempt(attempt, updateId, withAnswer);
    return { answer, run: this.#view(runId) };
  }

  /** Reserves the next message of the current step. Call this only inside `runExclusive`. Returns the work that sends the message. */
  async resend(run: RunningFlowRun, at: string, withResponse: WithResponse<RunView>): Promise<() => Promise<RunView>> {
    const send = await this.#steps.resend(run, at, (state) => withResponse(state, this.#view(run.id, state)));
    return async () => {
      await send();
      return this.#view(run.id);
    };
  }

  /** Saves the cancellation of a flow run at its current step. Call this only inside `runExclusive`. */
  async cancel({ state, run: { id } }: ChangedRun, withResponse: WithResponse<RunView>): Promise<RunView> {
    this.live.change(state);
    await this.live.save((changed) => withResponse(changed, this.#view(id, changed)));
    return this.#view(id);
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
