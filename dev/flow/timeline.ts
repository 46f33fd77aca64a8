import type { MessageText } from '../../domain/confirmation-settings';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { Language } from '../../domain/language';
import type { Scenario } from './scenario';

/** Something that happened in a run. */
export interface TimelineEntry {
  /** From the beginning of the run. */
  atSeconds: number;
  step: string;
  /** In words, such as: sends by SMS, 1 of 2. */
  what: string;
  /** A message that went out, as it looks in each language. */
  messages?: Readonly<Record<Language, MessageText>>;
  /** Present when the step is left here: the exit by its name, `Done` of a wait; `rule 1`, `else` or `spent` of steps without. */
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
  neverCame: readonly string[];
}

/** Runs a flow against a scripted person. */
export interface Simulation {
  run(flow: FlowDefinition, scenario: Scenario): Promise<Timeline>;
}
