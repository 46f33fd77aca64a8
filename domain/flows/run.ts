import type { BiometricsProposal } from '../biometrics/biometrics';
import type { ConfirmationProposal } from '../confirmations/settings';
import { addMs } from '../transactions/limits';
import type { DecideStep, FlowDefinition, NotifyStep, Step } from './definition';

/** The proposal of a confirm step, without its id and the digest of its code. */
export type StepConfirmationProposal = Omit<ConfirmationProposal, 'confirmationId' | 'digest'>;
/** The proposal of a link, without its id and the hash of its token. */
export type StepLinkProposal = Omit<BiometricsProposal, 'biometricsId' | 'tokenHash'>;

/**
 * The flow, the texts and the settings of a flow run. They are fixed when the flow run starts, so a deployment or a new version of the flow
 * does not change them.
 */
export interface RunPlan {
  runId: string;
  flow: FlowDefinition;
  /** The proposals by the name of their confirm step. In the texts, all placeholders are replaced, except {{code}} and {{minutes}}. */
  confirmations: Readonly<Record<string, StepConfirmationProposal>>;
  /** The code of the first step, if that step asks for a code. The request that starts the flow run returns after this code is sent. */
  firstCode?: { confirmationId: string; digest: string };
  /** The proposals by the name of their biometrics step. */
  links: Readonly<Record<string, StepLinkProposal>>;
}

/** One visit of a flow run to a step. */
export interface PathEntry {
  step: string;
  enteredAt: string;
  leftAt?: string;
  /** The exit by which the flow run left the step. For a decide step: the number of the rule, from 1, `else` or `Failed`. */
  exit?: string;
  /**
   * Why the flow run took this exit: the text of a rule, or an error type. Absent if the exit itself shows the reason. Never personal data.
   */
  reason?: string;
}

/**
 * What a started step waits for: a confirmation, a biometrics link or a time. `checkedSendId`: the newest message when the delivery of the
 * messages was checked, and one of them had arrived, or its provider gives no reports.
 */
export type Awaiting =
  | { confirmationId: string; checkedSendId?: string }
  | { biometricsId: string }
  | { until: string };

/** `Completed`: the flow run has an outcome. `Canceled`: it ended without an outcome. */
export type RunStatus = 'Running' | 'Completed' | 'Canceled';

/** One flow run. */
export interface FlowRun {
  id: string;
  flow: string;
  version: number;
  status: RunStatus;
  startedAt: string;
  endedAt?: string;
  /** All visits, oldest first. The last one is at the current or final step. */
  path: PathEntry[];
  /** The id or time for which the flow run waits. Callers read it as `awaited`. Absent until the current step has started. */
  awaiting?: Awaiting;
  /** The outcome that the flow run reached, or `NotDecided`. */
  outcome?: string;
  /** Absent after the flow run has ended. */
  plan?: RunPlan;
}

/** The name of the current or final step of a flow run. Empty before the first step. */
export const currentStepName = ({ path }: Pick<FlowRun, 'path'>): string => path.at(-1)?.step ?? '';

/** The origin of the messages of a flow run at its current step, as flow/step. */
export const originOf = (run: Pick<FlowRun, 'flow' | 'path'>): string => `${run.flow}/${currentStepName(run)}`;

/** A flow run with the status Running. It always has its plan. */
export type RunningFlowRun = FlowRun & { plan: RunPlan };

export const isRunning = (run: FlowRun): run is RunningFlowRun => run.status === 'Running';

/** When the time for the decision on submitted images ends. */
export function decisionDueAt(run: FlowRun, submittedAt: string): string {
  const step = run.plan?.flow.steps[currentStepName(run)];
  const seconds = step?.kind === 'biometrics' ? step.decideWithinSeconds : 0;
  return addMs(submittedAt, seconds * 1_000);
}

/** When a notify step gives up, if the flow run is at this step. */
export const givesUpAt = ({ path, startedAt }: FlowRun, { giveUpAfterSeconds }: NotifyStep): string =>
  addMs(path.at(-1)?.enteredAt ?? startedAt, giveUpAfterSeconds * 1_000);

/** The channels that a flow uses, including `biometrics`. */
export function channelsOf({ steps }: Pick<FlowDefinition, 'steps'>): ReadonlySet<string> {
  const used = Object.values(steps).flatMap((step) =>
    step.kind === 'confirm' ? [step.channel] : step.kind === 'biometrics' ? ['biometrics', ...step.channels] : [],
  );
  return new Set(used);
}

/** How often each step was entered. */
export function visitsOf({ path }: Pick<FlowRun, 'path'>): Record<string, number> {
  const visits: Record<string, number> = {};
  for (const { step } of path) visits[step] = (visits[step] ?? 0) + 1;
  return visits;
}

/** The last exit of each step. */
export function lastExitsOf({ path }: Pick<FlowRun, 'path'>): Record<string, string> {
  return Object.fromEntries(path.flatMap(({ step, exit }) => (exit === undefined ? [] : [[step, exit]])));
}

/** The exit by which a flow run leaves a step, the next step `to`, and the reason for the exit, if any. */
export interface TakenExit {
  exit: string;
  to: string;
  reason?: string | undefined;
}

/**
 * The step to enter: `name`, or if this step has no visits left, the step in its `exhausted`, and so on. `checkLoops` makes sure that this
 * search ends.
 */
function stepToEnter(
  { steps }: Pick<FlowDefinition, 'steps'>,
  visits: Readonly<Record<string, number>>,
  name: string,
): string {
  const step = steps[name];
  if (!step || step.kind === 'outcome' || step.visits === undefined || step.exhausted === undefined) return name;
  return (visits[name] ?? 0) < step.visits ? name : stepToEnter({ steps }, visits, step.exhausted);
}

/** Enters a step. An outcome ends the flow run. */
function enterStep(run: RunningFlowRun, stepName: string, now: string): FlowRun {
  const step = run.plan.flow.steps[stepName];
  const { awaiting: _, plan, ...rest } = run;
  const movedRun = { ...rest, path: [...run.path, { step: stepName, enteredAt: now }] };
  if (step?.kind !== 'outcome') return { ...movedRun, plan };
  return { ...movedRun, status: 'Completed', outcome: step.outcome, endedAt: now };
}

/** The path after the flow run has left the step of its last visit. */
function closeVisit({ path }: FlowRun, { exit, reason }: Omit<TakenExit, 'to'>, now: string): PathEntry[] {
  const last = path.at(-1);
  if (!last) return path;
  return [...path.slice(0, -1), { ...last, leftAt: now, exit, ...(reason === undefined ? {} : { reason }) }];
}

/** The flow run at its first step. */
export function enterFirstStep(run: FlowRun, now: string): FlowRun {
  return isRunning(run) ? enterStep(run, run.plan.flow.start, now) : run;
}

/**
 * The flow run after it has left its step. The reason is `VisitsExhausted` if the step `to` had no visits left and there is no other
 * reason. A flow run that has ended does not change.
 */
export function leaveStep(run: FlowRun, { exit, to, reason }: TakenExit, now: string): FlowRun {
  if (!isRunning(run)) return run;
  const enteredStep = stepToEnter(run.plan.flow, visitsOf(run), to);
  const exitReason = reason ?? (enteredStep === to ? undefined : 'VisitsExhausted');
  return enterStep({ ...run, path: closeVisit(run, { exit, reason: exitReason }, now) }, enteredStep, now);
}

/**
 * The flow run after it has left its step by an exit. An unknown exit ends the flow run, so that nobody waits forever. An exit can be
 * unknown if a template or the possible results of a step have changed since the definition was checked.
 */
export function leaveStepByExit(run: FlowRun, exit: string, now: string, reason?: string): FlowRun {
  const step = run.plan?.flow.steps[currentStepName(run)];
  const to = step && 'exits' in step ? step.exits[exit] : undefined;
  if (to !== undefined) return leaveStep(run, { exit, to, reason }, now);
  return isRunning(run) ? endRunAsCanceled(run, { exit, reason: 'NoSuchExit' }, now) : run;
}

/** The outcome of a flow run that ended because a condition could not be evaluated. No flow may have this outcome. */
export const notDecided = 'NotDecided';

/**
 * The flow run after a decide step whose conditions could not be evaluated: at the step `failed`, or if the decide step has none, ended with
 * the outcome NotDecided.
 */
export function leaveUndecided(run: FlowRun, { failed }: Pick<DecideStep, 'failed'>, now: string): FlowRun {
  const taken = { exit: 'Failed', reason: notDecided };
  if (failed !== undefined) return leaveStep(run, { ...taken, to: failed }, now);
  if (!isRunning(run)) return run;
  const { awaiting: _awaiting, plan: _plan, ...rest } = run;
  return { ...rest, status: 'Completed', outcome: notDecided, endedAt: now, path: closeVisit(run, taken, now) };
}

/** Ends a flow run at its current step, with the status Canceled. */
export function endRunAsCanceled(run: RunningFlowRun, end: Omit<TakenExit, 'to'>, now: string): FlowRun {
  const { awaiting: _awaiting, plan: _plan, ...rest } = run;
  return { ...rest, status: 'Canceled', endedAt: now, path: closeVisit(run, end, now) };
}

/** The flow run as it was before its current step started, so that the step starts again. */
export function restartStep(run: FlowRun): FlowRun {
  const { awaiting: _, ...rest } = run;
  return rest;
}

/** Whether a flow run can end at this step with the outcome NotDecided. */
export const canEndUndecided = (step: Step): boolean => step.kind === 'decide' && step.failed === undefined;

/** Every outcome that a run of a flow can have, each once: those of its outcome steps, and NotDecided if a decide step can end it. */
export function outcomesOf({ steps }: Pick<FlowDefinition, 'steps'>): string[] {
  const outcomes = Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []));
  return [...new Set([...outcomes, ...(Object.values(steps).some(canEndUndecided) ? [notDecided] : [])])];
}
