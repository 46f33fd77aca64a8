import { CancellationScope, condition, sleep } from '@temporalio/workflow';
import type { CodeResult } from '../../domain/confirmations/check-code';
import type { DecidedAttempt } from '../../domain/confirmations/commands';
import { createDomainError } from '../../domain/domain-error';
import { effectOf, type RunEffect } from '../../domain/flows/advance-runs';
import type { Step } from '../../domain/flows/definition';
import { cancelRun, type ChangedRun, findRun } from '../../domain/flows/runs';
import {
  currentStepName,
  type FlowRun,
  isRunning,
  originOf,
  type RunningFlowRun,
  type RunPlan,
} from '../../domain/flows/run';
import type { RunCommand } from '../../domain/flows/run-commands';
import { type RunView, viewRun } from '../../domain/flows/view-run';
import type { BiometricsLinks } from '../biometrics/biometrics-links';
import type { Confirmations } from '../confirmations/confirmations';
import { toFailure } from '../failures';
import type { WithResponse } from '../idempotency';
import { type LiveTransaction, msUntil, now } from '../live-transaction';
import { checkDelivery } from './delivery-deadline';
import { ConfirmSteps, decideStep, linkStep, notifyStep } from './steps';
import { RunVisit } from './run-visit';

/**
 * The flow runs of one transaction. Each change of the state moves them as far as they go (`advanceRuns`), and then this class does what they
 * need next (`effectOf`): it starts steps and timers.
 */
export class FlowRuns {
  readonly #confirm: ConfirmSteps;
  /** What is being done for each running flow run, by id. `key`: the visit and the effect. `timer`: cancels a timer. */
  readonly #effects = new Map<string, { key: string; timer?: CancellationScope }>();
  /** The Temporal scope of each flow run that has not ended, by id. It cancels the step. */
  readonly #scopes = new Map<string, CancellationScope>();
  /** The ids of flow runs whose first step has started in this workflow run. */
  readonly #started = new Set<string>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly confirmations: Confirmations,
    private readonly links: BiometricsLinks,
  ) {
    this.#confirm = new ConfirmSteps(live, confirmations);
    live.onChange(() => this.#performEffects());
  }

  /** Continues the flow runs in a new workflow run. A flow run that waits for the person has started. */
  resume(): void {
    for (const { id, awaiting } of this.live.state.runs ?? []) if (awaiting) this.#started.add(id);
    this.#performEffects();
  }

  /**
   * Starts a decided flow run. Call this only inside `runExclusive`. Returns the work that waits until the first step has started. If that
   * step sends a message, the work ends after the first attempt to send it.
   */
  start(decided: { existing: FlowRun } | ChangedRun, { runId }: RunPlan): () => Promise<RunView> {
    if ('state' in decided) this.live.change(decided.state);
    return async () => {
      const hasEnded = () => !this.live.state.runs?.some((run) => run.id === runId && isRunning(run));
      await condition(() => this.#started.has(runId) || hasEnded() || this.live.isEnding);
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
    const send = await this.#confirm.resend(run, at, (state) => withResponse(state, this.#view(run.id, state)));
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

  #view(runId: string, state = this.live.state): RunView {
    const run = findRun(state, runId);
    if (!run) throw toFailure(createDomainError('RunNotFound', 'The transaction has no such flow run.'));
    return viewRun(state, run);
  }

  /** Does what each flow run needs in the current state, unless this is already being done. */
  #performEffects(): void {
    for (const run of this.live.state.runs ?? []) {
      const effect = effectOf(this.live.state, run);
      const key = effect && JSON.stringify([run.path.length, effect]);
      const current = this.#effects.get(run.id);
      if (isRunning(run) && current?.key === key) continue;
      current?.timer?.cancel();
      this.#effects.delete(run.id);
      if (!isRunning(run)) this.#stop(run);
      else if (effect && key) this.#perform(run, effect, key);
    }
  }

  #perform(run: RunningFlowRun, effect: RunEffect, key: string): void {
    if (effect.kind === 'timer') this.#started.add(run.id);
    const parent = this.#scopes.get(run.id) ?? this.live.background.newScope();
    this.#scopes.set(run.id, parent);
    const scope = new CancellationScope({ cancellable: true, parent });
    const isTimer = effect.kind === 'timer' || effect.kind === 'delivery';
    this.#effects.set(run.id, { key, ...(isTimer ? { timer: scope } : {}) });
    const cancelAfterError = () =>
      this.live.runExclusive(async (at) => {
        this.#cancelWithReason(run.id, at, 'ServiceError');
        await this.live.save();
      });
    const visit = new RunVisit(this.live, run);
    this.live.background.run(scope, `flow run ${run.id}`, () => this.#startStep(visit, effect), cancelAfterError);
  }

  /** An unexpected error of a step cancels only the flow run, not the transaction. */
  async #startStep(visit: RunVisit, effect: RunEffect): Promise<void> {
    const { run } = visit;
    const step = run.plan.flow.steps[currentStepName(run)];
    if ('at' in effect && effect.at !== undefined) {
      const summary = `${originOf(run)}: ${endOfTimer(run, effect, step?.kind)}`;
      while (now() < effect.at) await sleep(msUntil(effect.at), { summary });
    }
    if (effect.kind === 'timer') return visit.runExclusive((at) => visit.advance(at));
    if (effect.kind === 'delivery') return checkDelivery(visit);
    const markStarted = () => this.#started.add(run.id);
    if (step?.kind === 'notify') return notifyStep(visit, step, markStarted);
    await this.live.keepRunningDuring(async () => {
      if (step?.kind === 'confirm') await this.#confirm.start(visit);
      else if (step?.kind === 'biometrics') await linkStep(visit, this.links);
      else if (step?.kind === 'decide') await decideStep(visit, step, 'at' in effect);
    });
    markStarted();
  }

  /** Stops the work for a flow run that has ended. The last step of a completed flow run ends by itself. */
  #stop({ id, status }: FlowRun): void {
    if (status === 'Canceled') this.#scopes.get(id)?.cancel();
    this.#scopes.delete(id);
  }
}

/** What happens at the time of an effect, for the summary of its timer. */
function endOfTimer({ awaiting }: RunningFlowRun, effect: RunEffect, kind: Step['kind'] | undefined): string {
  if (effect.kind === 'delivery') return 'a message must have arrived';
  if (kind === 'wait') return 'the wait ends';
  if (awaiting && 'biometricsId' in awaiting) return 'the time for a decision on the images ends';
  return kind === 'decide' ? 'the rules are evaluated again' : 'the next message may be sent';
}
