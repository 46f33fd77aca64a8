import type { MessageText } from '../../domain/confirmations/settings';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { Language } from '../../domain/transactions/input';
import { formatCount, formatDuration } from '../../domain/flows/describe-step';
import type { Expectation, Scenario } from './scenario';

/** Something that happened in a flow run. */
export interface TimelineEntry {
  /** Seconds since the start of the flow run. */
  atSeconds: number;
  step: string;
  /** What happened, such as `sends by SMS`. */
  description: string;
  /** The message that was sent, in each language. */
  messages?: Readonly<Record<Language, MessageText>>;
  /** The exit by which the flow run leaves the step. Examples: `Valid`; `Done` of a wait; `rule 1` or `else` of a decision. */
  exit?: string;
  /** The step that the exit leads to. */
  to?: string;
}

/** What happened in a flow run, from start to end. */
export interface Timeline {
  /** The name of the flow. */
  flowName: string;
  version: number;
  /** Oldest first. */
  entries: readonly TimelineEntry[];
  /** Every step that the flow run entered, in order. */
  path: readonly string[];
  /** Absent when the flow run did not end. */
  outcome?: string;
  /** Duration of the flow run. */
  seconds: number;
  /** Number of messages sent. */
  sends: number;
  /** The texts of the scripted steps that were never executed. */
  unusedScriptedSteps: readonly string[];
  /** The texts of the scripted steps that the transaction rejected. */
  rejectedScriptedSteps: readonly string[];
}

/** Runs a flow with a scripted person. */
export interface Simulation {
  run(flow: FlowDefinition, scenario: Scenario): Promise<Timeline>;
}

/** The differences between a flow run and its expectation, one line each. */
export function compareTimeline(
  { outcome, path, seconds, sends, unusedScriptedSteps, rejectedScriptedSteps }: Timeline,
  expectation: Expectation,
): string[] {
  const differences: string[] = [];
  const result = outcome === undefined ? 'the run did not end' : `got ${outcome}`;
  if (outcome !== expectation.outcome) differences.push(`expected outcome ${expectation.outcome}, ${result}`);
  if (expectation.path && expectation.path.join(' ') !== path.join(' '))
    differences.push(`expected path ${expectation.path.join(' > ')}, got ${path.join(' > ')}`);
  if (expectation.withinSeconds !== undefined && seconds > expectation.withinSeconds)
    differences.push(`expected at most ${formatDuration(expectation.withinSeconds)}, took ${formatDuration(seconds)}`);
  if (expectation.sends !== undefined && expectation.sends !== sends)
    differences.push(`expected ${formatCount(expectation.sends, 'message')}, sent ${sends}`);
  if (unusedScriptedSteps.length > 0) differences.push(`unused scripted steps: ${unusedScriptedSteps.join('; ')}`);
  if (rejectedScriptedSteps.length > 0)
    differences.push(`rejected scripted steps: ${rejectedScriptedSteps.join('; ')}`);
  return differences;
}
