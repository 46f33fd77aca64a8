import { type Checking, type FlowCheck, repliesOf, type StepCheck, stepNames } from '../checking';
import { exitsOf, leadsTo, type Step } from '../definition';
import { fault } from '../flow-fault';
import { offerNames } from '../../closest-match';

export const checkStart: FlowCheck = (checking) => {
  const { start } = checking.flow;
  const names = stepNames(checking);
  if (names.length === 0)
    return [fault('no-steps', 'steps', 'There are no steps.', 'Write at least one step and an outcome.')];
  if (start === '')
    return [fault('start-missing', 'start', 'The start is missing.', offerNames('Name one of the steps:', '', names))];
  if (names.includes(start)) return [];
  return [
    fault(
      'start-unknown',
      'start',
      `The start is ${start}, which is no step.`,
      offerNames('Name one of the steps:', start, names),
    ),
  ];
};

/** The exits that a step has to have; undefined when its replies are not known. */
export function neededExits(step: Step, checking: Pick<Checking, 'templates'>): readonly string[] | undefined {
  const replies = repliesOf(step, checking);
  return step.kind === 'confirm' && step.ask === 'reply' && !replies ? undefined : [...new Set(exitsOf(step, replies))];
}

export const checkExits: StepCheck = (step, path, checking) => {
  if (!('exits' in step)) return [];
  const needed = neededExits(step, checking);
  if (!needed) return [];
  const exits = Object.keys(step.exits);
  const missing = needed.filter((exit) => !exits.includes(exit));
  return [
    ...missing.map((exit) =>
      fault('exit-missing', `${path}.exits.${exit}`, `The exit ${exit} is missing.`, 'Say which step it leads to.'),
    ),
    ...exits
      .filter((exit) => !needed.includes(exit))
      .map((exit) =>
        fault(
          'exit-unneeded',
          `${path}.exits.${exit}`,
          `The step has no exit ${exit}.`,
          missing.length > 0
            ? offerNames('Write what is missing,', exit, missing, ', or take it out.')
            : `Take it out; the exits are ${needed.join(', ')}.`,
        ),
      ),
  ];
};

export const checkTargets: StepCheck = (step, path, checking) =>
  leadsTo(step)
    .filter(({ to }) => !checking.steps.has(to) && !checking.unread.has(to))
    .map((way) =>
      fault(
        'leads-nowhere',
        `${path}.${way.path}`,
        way.to === '' ? 'It leads to no step.' : `It leads to ${way.to}, which is no step.`,
        offerNames('Name one of the steps:', way.to, stepNames(checking)),
      ),
    );
