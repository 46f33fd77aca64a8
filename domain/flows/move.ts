import type { FlowDefinition } from './definition';
import { type FlowRun, isRunning, type PathEntry, visitsOf } from './run';

/** How a step was left. */
export interface Leaving {
  exit: string;
  to: string;
  reason?: string;
}

/** The step that is entered instead of one whose visits are spent. Ends, because every loop has its bound. */
function admitted({ steps }: FlowDefinition, visits: Readonly<Record<string, number>>, name: string): string {
  const passed = new Set<string>();
  for (let at = name; ; ) {
    const step = steps[at];
    const most = step && step.kind !== 'outcome' ? step.visits : undefined;
    if (!step || most === undefined || (visits[at] ?? 0) < most || passed.has(at)) return at;
    passed.add(at);
    at = step.kind === 'outcome' ? at : (step.spent ?? at);
  }
}

const entered = (step: string, at: string): PathEntry => ({ step, enteredAt: at });

/** The run in a step, which ends it when the step is an outcome. */
function inStep(run: FlowRun & { plan: NonNullable<FlowRun['plan']> }, name: string, now: string): FlowRun {
  const at = admitted(run.plan.flow, visitsOf(run), name);
  const step = run.plan.flow.steps[at];
  const { id, flow, version, startedAt, plan } = run;
  const moved = { id, flow, version, startedAt, path: [...run.path, entered(at, now)] };
  if (step?.kind !== 'outcome') return { ...moved, status: 'Running', plan };
  return { ...moved, status: 'Completed', outcome: step.outcome, endedAt: now };
}

/** The run at its first step. */
export function begun(run: FlowRun, now: string): FlowRun {
  return isRunning(run) ? inStep(run, run.plan.flow.start, now) : run;
}

/** The run after it left its step. A run that is over stays as it is. */
export function left(run: FlowRun, { exit, to, reason }: Leaving, now: string): FlowRun {
  const last = run.path.at(-1);
  if (!isRunning(run) || !last) return run;
  const closed = { ...last, leftAt: now, exit, ...(reason === undefined ? {} : { reason }) };
  return inStep({ ...run, path: [...run.path.slice(0, -1), closed] }, to, now);
}

/**
 * The run after it left its step by one of its exits. One that its definition does not have, because texts or results
 * changed since it was checked, ends the run: nobody may wait for ever.
 */
export function leftBy(run: FlowRun, exit: string, now: string, reason?: string): FlowRun {
  const last = run.path.at(-1);
  const step = run.plan?.flow.steps[last?.step ?? ''];
  const to = step && 'exits' in step ? step.exits[exit] : undefined;
  if (to !== undefined) return left(run, { exit, to, ...(reason === undefined ? {} : { reason }) }, now);
  if (!isRunning(run) || !last) return run;
  const { id, flow, version, startedAt, path } = run;
  const closed = { ...last, leftAt: now, exit, reason: 'NoSuchExit' };
  return { id, flow, version, startedAt, status: 'Canceled', endedAt: now, path: [...path.slice(0, -1), closed] };
}

/** The run with its step to be begun anew. */
export function unbegun(run: FlowRun): FlowRun {
  const { id, flow, version, status, startedAt, path, plan } = run;
  return { id, flow, version, status, startedAt, path, ...(plan ? { plan } : {}) };
}
