import type { MessageText } from '../../domain/confirmation-settings';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { Language } from '../../domain/language';
import { formatCount, formatDuration } from '../../domain/flows/describe-step';
import type { Expectation, Scenario } from './scenario';

/** Something that happened in a run. */
export interface TimelineEntry {
  /** From the beginning of the run. */
  atSeconds: number;
  step: string;
  /** In words, such as: sends by SMS, 1 of 2. */
  what: string;
  /** A message that went out, as it looks in each language. */
  messages?: Readonly<Record<Language, MessageText>>;
  /** Present when the step is left here: the exit by its name, `Done` of a wait; `rule 1`, `else` or `exhausted` of steps without. */
  exit?: string;
  /** The step that the exit leads to. */
  to?: string;
}

/** A run from its beginning to its end. */
export interface Timeline {
  flow: string;
  version: number;
  /** In the order of time. */
  entries: readonly TimelineEntry[];
  /** Every step that was entered, in order. */
  path: readonly string[];
  /** Absent when the run did not end. */
  outcome?: string;
  /** How long it took. */
  seconds: number;
  /** Messages that went out. */
  sends: number;
  /** Lines of the person that had no effect. */
  unusedSteps: readonly string[];
}

/** Runs a flow against a scripted person. */
export interface Simulation {
  run(flow: FlowDefinition, scenario: Scenario): Promise<Timeline>;
}

/** What of a run is not as expected, a line each; none when all is. */
export function compareTimeline(
  { outcome, path, seconds, sends, unusedSteps }: Timeline,
  expect: Expectation,
): string[] {
  const differences: string[] = [];
  const ended = outcome === undefined ? 'it did not end' : `it ended as ${outcome}`;
  if (outcome !== expect.outcome) differences.push(`expected the outcome ${expect.outcome}; ${ended}`);
  if (expect.path && expect.path.join(' ') !== path.join(' '))
    differences.push(`expected the path ${expect.path.join(' > ')}; it went ${path.join(' > ')}`);
  if (expect.withinSeconds !== undefined && seconds > expect.withinSeconds)
    differences.push(
      `expected an end within ${formatDuration(expect.withinSeconds)}; it took ${formatDuration(seconds)}`,
    );
  if (expect.sends !== undefined && expect.sends !== sends)
    differences.push(`expected ${formatCount(expect.sends, 'message')}; it sent ${sends}`);
  if (unusedSteps.length > 0) differences.push(`these lines never came: ${unusedSteps.join('; ')}`);
  return differences;
}
