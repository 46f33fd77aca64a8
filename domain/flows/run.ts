import type { BiometricsProposal } from '../biometrics/biometrics';
import type { ConfirmationProposal } from '../confirmation/settings';
import { addMs } from '../values';
import type { FlowDefinition, NotifyStep } from './definition';

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

/** What a started step waits for: a confirmation, a biometrics link or a time. */
export type Awaiting = { confirmationId: string } | { biometricsId: string } | { until: string };

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
