import type { FlowDefinition, NamedReply, Step } from './definition';
import type { FlowIssue } from './flow-issue';
import type { Template, Templates } from './template';

/** What the checks of a flow look at. */
export interface CheckContext {
  flow: FlowDefinition;
  /** In the order of the definition. A map, because a step may have any name. */
  steps: ReadonlyMap<string, Step>;
  /** Names of steps that are told not to have the shape of one: ways may lead to them, and what they do is not known. */
  unread: ReadonlySet<string>;
  templates: Templates;
  /** What is wrong with a condition, and what to do about it; undefined when nothing is. */
  checkCondition?: ((expression: string) => Pick<FlowIssue, 'message' | 'fix'> | undefined) | undefined;
}

/** The names of all steps, also of those that could not be read. */
export const stepNames = ({ steps, unread }: Pick<CheckContext, 'steps' | 'unread'>): readonly string[] => [
  ...steps.keys(),
  ...unread,
];

/** Finds what is wrong with a whole flow. */
export type FlowCheck = (checking: CheckContext) => Iterable<FlowIssue>;

/** Finds what is wrong with one step, which is at `path`. */
export type StepCheck = (step: Step, path: string, checking: CheckContext) => Iterable<FlowIssue>;

export function templateOf(step: Step, { templates }: Pick<CheckContext, 'templates'>): Template | undefined {
  return step.kind === 'confirm' && step.template !== undefined ? templates.get(step.template) : undefined;
}

/** The replies of a question; undefined when they cannot be known, because it has none and no template that is. */
export function repliesOf(step: Step, checking: Pick<CheckContext, 'templates'>): readonly NamedReply[] | undefined {
  return step.kind === 'confirm' ? (step.options ?? templateOf(step, checking)?.options) : undefined;
}
