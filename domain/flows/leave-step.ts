import type { FlowDefinition } from './definition';
import { type FlowRun, isRunning, type PathEntry, type Running, stepOf, visitsOf } from './run';

/** How a step was left. */
export interface ExitTaken {
  exit: string;
  to: string;
  reason?: string | undefined;
}

/** The step that is entered instead of one whose visits are exhausted. Ends, because every loop has its bound: see `checkLoops`. */
function stepToEnter(
  { steps }: Pick<FlowDefinition, 'steps'>,
  visits: Readonly<Record<string, number>>,
  name: string,
): string {
  const step = steps[name];
  if (!step || step.kind === 'outcome' || step.visits === undefined || step.exhausted === undefined) return name;
  return (visits[name] ?? 0) < step.visits ? name : stepToEnter({ steps }, visits, step.exhausted);
}

/** The run in a step, which ends it when the step is an outcome. */
function enterStep(run: Running, at: string, now: string): FlowRun {
  const step = run.plan.flow.steps[at];
  const { awaiting: _, plan, ...rest } = run;
  const moved = { ...rest, path: [...run.path, { step: at, enteredAt: now }] };
  if (step?.kind !== 'outcome') return { ...moved, plan };
  return { ...moved, status: 'Completed', outcome: step.outcome, endedAt: now };
}

/** The path with its last visit left. */
function closeVisit({ path }: FlowRun, { exit, reason }: Omit<ExitTaken, 'to'>, now: string): PathEntry[] {
  const last = path.at(-1);
  if (!last) return path;
  return [...path.slice(0, -1), { ...last, leftAt: now, exit, ...(reason === undefined ? {} : { reason }) }];
}

/** The run at its first step. */
export function enterFirstStep(run: FlowRun, now: string): FlowRun {
  return isRunning(run) ? enterStep(run, run.plan.flow.start, now) : run;
}

/**
 * The run after it left its step. One that goes elsewhere than its exit leads, because visits are exhausted, has that as its
 * reason where nothing else is. A run that is over stays as it is.
 */
export function leaveStep(run: FlowRun, { exit, to, reason }: ExitTaken, now: string): FlowRun {
  if (!isRunning(run)) return run;
  const at = stepToEnter(run.plan.flow, visitsOf(run), to);
  const why = reason ?? (at === to ? undefined : 'VisitsExhausted');
  return enterStep({ ...run, path: closeVisit(run, { exit, reason: why }, now) }, at, now);
}

/**
 * The run after it left its step by one of its exits. One that its definition does not have, because texts or results
 * changed since it was checked, ends the run: nobody may wait for ever.
 */
export function leaveStepBy(run: FlowRun, exit: string, now: string, reason?: string): FlowRun {
  const step = run.plan?.flow.steps[stepOf(run)];
  const to = step && 'exits' in step ? step.exits[exit] : undefined;
  if (to !== undefined) return leaveStep(run, { exit, to, reason }, now);
  return isRunning(run) ? endRun(run, exit, now, 'NoSuchExit') : run;
}

/** The run, over where it is, by an exit that leads nowhere. */
export function endRun(run: Running, exit: string, now: string, reason?: string): FlowRun {
  const { awaiting: _awaiting, plan: _plan, ...rest } = run;
  return { ...rest, status: 'Canceled', endedAt: now, path: closeVisit(run, { exit, reason }, now) };
}

/** The run with its step to be begun anew. */
export function restartStep(run: FlowRun): FlowRun {
  const { awaiting: _, ...rest } = run;
  return rest;
}
