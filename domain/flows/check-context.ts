import type { Channel } from '../confirmation-settings';
import type { FlowDefinition, NamedReply, Step } from './definition';
import type { FlowIssue } from './flow-issue';
import type { Template, Templates } from './template';

/** The input of the flow checks. */
export interface CheckContext {
  flow: FlowDefinition;
  /**
   * The steps by name, in the order of the definition. This is a map and not an object, so that a step can have any name, such as
   * `constructor`.
   */
  steps: ReadonlyMap<string, Step>;
  /** Names of steps with an invalid shape. Other steps may lead to them. */
  malformedSteps: ReadonlySet<string>;
  templates: Templates;
  /** Checks the body or subject of a message, or the label of a reply, by the limits of the tenant. */
  checkMessage?: ((text: string, path: string, channel: Channel) => readonly FlowIssue[]) | undefined;
  /** Checks a condition. Undefined if the condition is valid. */
  checkCondition?: ((expression: string) => Pick<FlowIssue, 'message' | 'fix'> | undefined) | undefined;
}

/** The names of all steps, including steps with an invalid shape. */
export const stepNames = ({
  steps,
  malformedSteps,
}: Pick<CheckContext, 'steps' | 'malformedSteps'>): readonly string[] => [...steps.keys(), ...malformedSteps];

/** Checks a whole flow. */
export type FlowCheck = (context: CheckContext) => Iterable<FlowIssue>;

/** Checks one step, which is at `path`. */
export type StepCheck = (step: Step, path: string, context: CheckContext) => Iterable<FlowIssue>;

/** The template that a confirm step names, if there is one with this name. */
export function templateOf(step: Step, { templates }: Pick<CheckContext, 'templates'>): Template | undefined {
  return step.kind === 'confirm' && step.template !== undefined ? templates.get(step.template) : undefined;
}

/** The replies of a question or of its template. Undefined if both have none. */
export function repliesOf(step: Step, context: Pick<CheckContext, 'templates'>): readonly NamedReply[] | undefined {
  return step.kind === 'confirm' ? (step.options ?? templateOf(step, context)?.options) : undefined;
}
