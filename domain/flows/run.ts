import type { BiometricsProposal } from '../biometrics/link-proposal';
import type { ConfirmationProposal } from '../confirmation-proposal';
import { addMs } from '../add-ms';
import type { FlowDefinition } from './definition';

/** What is proposed when a step asks the person: all but what the step itself comes to be known by. */
export type StepProposal = Omit<ConfirmationProposal, 'confirmationId' | 'digest'>;
export type LinkProposal = Omit<BiometricsProposal, 'biometricsId' | 'tokenHash'>;

/** What the API gives a run to take along: nothing of it is looked up again, whatever is deployed or edited meanwhile. */
export interface RunPlan {
  runId: string;
  flow: FlowDefinition;
  /** By confirm step. Texts are filled but for the code and its minutes. */
  confirmations: Readonly<Record<string, StepProposal>>;
  /** The code of the first step, when that is a token: who starts a run waits for its message. */
  first?: { confirmationId: string; digest: string };
  /** By biometrics step. */
  links: Readonly<Record<string, LinkProposal>>;
}

/** One visit of a run to a step. */
export interface PathEntry {
  step: string;
  enteredAt: string;
  leftAt?: string;
  /** The exit it was left by; of a decision, the number of its rule from 1, or `else`. */
  exit?: string;
  /** Why, where the exit alone does not tell: words of a rule, or the name of a refusal. Never personal data. */
  reason?: string;
}

/** What a step waits for, once it is begun. */
export type Awaiting = { confirmationId: string } | { biometricsId: string } | { until: string };

export type RunStatus = 'Running' | 'Completed' | 'Canceled';

/** One run of a flow. */
export interface FlowRun {
  id: string;
  flow: string;
  version: number;
  status: RunStatus;
  startedAt: string;
  endedAt?: string;
  /** Oldest first. The last is where the run is, or where it ended. */
  path: PathEntry[];
  /** Absent until the last step of the path is begun. */
  awaiting?: Awaiting;
  /** The name of the end that was reached. */
  outcome?: string;
  /** Until it ends. */
  plan?: RunPlan;
}

/** The step a run is in, or ended in. */
export const stepOf = ({ path }: Pick<FlowRun, 'path'>): string => path.at(-1)?.step ?? '';

/** Where a run is, as operators read it: the flow and the step. */
export const placeOf = (run: Pick<FlowRun, 'flow' | 'path'>): string => `${run.flow}/${stepOf(run)}`;

/** A run that goes on, which carries its definition. */
export type Running = FlowRun & { plan: RunPlan };

export const isRunning = (run: FlowRun): run is Running => run.status === 'Running';

/** Until when images that were handed in wait for a decision. */
export function decisionDueAt(run: FlowRun, submittedAt: string): string {
  const step = run.plan?.flow.steps[stepOf(run)];
  const seconds = step?.kind === 'biometrics' ? step.decideWithinSeconds : 0;
  return addMs(submittedAt, seconds * 1_000);
}

/** What a run asks on: channels of confirmations, and `biometrics`. */
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

/** The exit by which each step was left, the last time. */
export function answersOf({ path }: Pick<FlowRun, 'path'>): Record<string, string> {
  return Object.fromEntries(path.flatMap(({ step, exit }) => (exit === undefined ? [] : [[step, exit]])));
}
