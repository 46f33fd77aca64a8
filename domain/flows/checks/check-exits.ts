import { type CheckContext, type FlowCheck, repliesOf, type StepCheck, stepNames } from '../check-context';
import { exitsOf, targetsOf, type Step } from '../definition';
import { createIssue } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { quote, quoteAll, suggestNames } from '../../quote';

/** Checks that the flow has steps, and that its start is one of them. */
export const checkStart: FlowCheck = (context) => {
  const { start } = context.flow;
  const names = stepNames(context);
  if (names.length === 0)
    return [createIssue('no-steps', 'steps', 'The flow has no steps.', 'Add at least one step and an outcome.')];
  if (start === '')
    return [
      createIssue('start-missing', 'start', 'The start is missing.', suggestNames('Use one of the steps:', '', names)),
    ];
  if (names.includes(start)) return [];
  return [
    createIssue(
      'start-unknown',
      'start',
      `The start is ${quote(start)}, which is not a step.`,
      suggestNames('Use one of the steps:', start, names),
    ),
  ];
};

/** The exits that a step needs. Undefined for a question whose replies are unknown. */
export function requiredExits(step: Step, context: Pick<CheckContext, 'templates'>): readonly string[] | undefined {
  const replies = repliesOf(step, context);
  return step.kind === 'confirm' && step.ask === 'reply' && !replies ? undefined : [...new Set(exitsOf(step, replies))];
}

/** Checks that a step has all exits that it needs, and no others. */
export const checkExits: StepCheck = (step, path, context) => {
  if (!('exits' in step)) return [];
  const required = requiredExits(step, context);
  if (!required) return [];
  const exits = Object.keys(step.exits);
  const missing = required.filter((exit) => !exits.includes(exit));
  return [
    ...missing.map((exit) =>
      createIssue(
        'exit-missing',
        `${path}.exits.${exit}`,
        `The exit ${quote(exit)} is missing.`,
        'Write the next step for this exit.',
      ),
    ),
    ...exits
      .filter((exit) => !required.includes(exit))
      .slice(0, flowLimits.issues)
      .map((exit) =>
        createIssue(
          'exit-unneeded',
          `${path}.exits.${exit}`,
          `The step has no exit ${quote(exit)}.`,
          missing.length > 0
            ? suggestNames('Remove this exit, and add the missing exits:', exit, missing)
            : `Remove this exit. The exits are ${quoteAll(required)}.`,
        ),
      ),
  ];
};

/** Checks that every next step exists. */
export const checkTargets: StepCheck = (step, path, context) =>
  targetsOf(step)
    .filter(({ to }) => !context.steps.has(to) && !context.malformedSteps.has(to))
    .slice(0, flowLimits.issues)
    .map((target) =>
      createIssue(
        'leads-nowhere',
        `${path}.${target.path}`,
        target.to === ''
          ? 'The next step is missing.'
          : `The next step is ${quote(target.to)}, but there is no such step.`,
        suggestNames('Use one of the steps:', target.to, stepNames(context)),
      ),
    );
