import type { BiometricsProposal } from '../biometrics/link-proposal';
import type { ConfirmationProposal } from '../confirmation-proposal';
import { addMs } from '../add-ms';
import type { FlowDefinition } from './definition';

/** The proposal of a confirm step, without its id and the digest of its code. */
export type StepConfirmationProposal = Omit<ConfirmationProposal, 'confirmationId' | 'digest'>;
/** The proposal of a link, without its id and the hash of its token. */
export type StepLinkProposal = Omit<BiometricsProposal, 'biometricsId' | 'tokenHash'>;

/** Everything that a run needs. Nothing is looked up later, so deployments and edits do not change it. */
export interface RunPlan {
  runId: string;
  flow: FlowDefinition;
  /** By confirm step. Texts are filled except for the code and its minutes. */
  confirmations: Readonly<Record<string, StepConfirmationProposal>>;
  /** The code of the first step, if that step asks for a token. The request that starts the run returns after this code is sent. */
  firstCode?: { confirmationId: string; digest: string };
  /** By biometrics step. */
  links: Readonly<Record<string, StepLinkProposal>>;
}

/** One visit of a run to a step. */
export interface PathEntry {
  step: string;
  enteredAt: string;
  leftAt?: string;
  /** The exit by which the run left. For a decision: the number of the rule, from 1, or `else`. */
  exit?: string;
  /**
   * Why the run left by this exit: the text of a rule, or an error type. Absent if the exit itself shows it. Never personal data.
   */
  reason?: string;
}

/** What a started step waits for. */
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
  /** Oldest first. The last is the current or final step. */
  path: PathEntry[];
  /** The id or time that the run waits for. Callers read it as `awaited`. Absent until the current step has started. */
  awaiting?: Awaiting;
  /** The outcome that the run reached. */
  outcome?: string;
  /** Absent after the run has ended. */
  plan?: RunPlan;
}

/** The name of the current or final step of a run; empty before the first step. */
export const currentStepName = ({ path }: Pick<FlowRun, 'path'>): string => path.at(-1)?.step ?? '';

/** The origin of the messages of a run at its current step, as flow/step. */
export const originOf = (run: Pick<FlowRun, 'flow' | 'path'>): string => `${run.flow}/${currentStepName(run)}`;

/** A run with the status Running. It has its plan. */
export type RunningFlowRun = FlowRun & { plan: RunPlan };

export const isRunning = (run: FlowRun): run is RunningFlowRun => run.status === 'Running';

/** When the time for the decision on submitted images ends. */
export function decisionDueAt(run: FlowRun, submittedAt: string): string {
  const step = run.plan?.flow.steps[currentStepName(run)];
  const seconds = step?.kind === 'biometrics' ? step.decideWithinSeconds : 0;
  return addMs(submittedAt, seconds * 1_000);
}

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
