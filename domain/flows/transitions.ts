import type { Language } from '../transactions/input';
import type { DecideStep, FlowDefinition, Step } from './definition';
import { type StepTexts, stepTexts } from './describe-step';

/** A transition from one step to another. */
export interface Transition {
  /** The exit, as in the path of a flow run. `exhausted` for the transition of a step that has no visits left. */
  exit: string;
  /** The label in a drawing, if any. */
  label?: string;
  to: string;
}

/** An edge of a drawing: all transitions between the same two steps. */
export interface Edge {
  from: string;
  to: string;
  /** In the order in which the step lists its exits. */
  transitions: readonly Transition[];
}

/** Why a rule leads to its next step, as callers and operators see it. */
export const reasonOf = ({ because, when }: DecideStep['rules'][number]): string => because ?? when;

/**
 * The transitions of a decide step. If it has two or more rules, their labels have numbers, because the first rule that is true decides.
 */
function transitionsOfDecision({ rules, else: otherwise, failed }: DecideStep, texts: StepTexts): Transition[] {
  const ruleTransitions = rules.map((rule, index): Transition => {
    const reason = reasonOf(rule);
    return { exit: `${index + 1}`, label: rules.length > 1 ? `${index + 1}. ${reason}` : reason, to: rule.then };
  });
  return [
    ...ruleTransitions,
    { exit: 'else', label: texts.otherwise, to: otherwise },
    ...(failed === undefined ? [] : [{ exit: 'Failed', label: 'Failed', to: failed }]),
  ];
}

/** All transitions of a step. */
function transitionsOf(step: Step, texts = stepTexts.en): readonly Transition[] {
  if (step.kind === 'outcome') return [];
  const { visits, exhausted } = step;
  const exhaustedTransitions: Transition[] =
    exhausted === undefined ? [] : [{ exit: 'exhausted', label: texts.afterVisits(visits ?? 0), to: exhausted }];
  if (step.kind === 'wait') return [{ exit: 'Done', to: step.then }, ...exhaustedTransitions];
  if (step.kind === 'decide') return [...transitionsOfDecision(step, texts), ...exhaustedTransitions];
  return [...Object.entries(step.exits).map(([exit, to]) => ({ exit, label: exit, to })), ...exhaustedTransitions];
}

/** All edges of a flow. Transitions between the same two steps are one edge. */
export function edgesOf({ steps }: Pick<FlowDefinition, 'steps'>, language: Language = 'en'): readonly Edge[] {
  return Object.entries(steps).flatMap(([from, step]) => {
    const byTarget = new Map<string, Transition[]>();
    for (const transition of transitionsOf(step, stepTexts[language])) {
      const others = byTarget.get(transition.to);
      if (others) others.push(transition);
      else byTarget.set(transition.to, [transition]);
    }
    return [...byTarget].map(([to, transitions]) => ({ from, to, transitions }));
  });
}

/**
 * The transitions that a flow run has taken. Each is one text: the step, a space and the exit. If the next step has no visits left, the
 * flow run does not enter that step. The set then has the transition to that step, and also the `exhausted` transition of that step.
 */
export function transitionsTaken(
  { steps }: Pick<FlowDefinition, 'steps'>,
  path: readonly { step: string; exit?: string | undefined }[],
): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const [index, { step, exit }] of path.entries()) {
    const next = path[index + 1]?.step;
    if (next === undefined) continue;
    const seen = new Set<string>();
    let [currentStep, currentExit] = [step, exit];
    while (currentExit !== undefined && !seen.has(`${currentStep} ${currentExit}`)) {
      seen.add(`${currentStep} ${currentExit}`);
      taken.add(`${currentStep} ${currentExit}`);
      const definition = Object.hasOwn(steps, currentStep) ? steps[currentStep] : undefined;
      const to = definition && transitionsOf(definition).find((transition) => transition.exit === currentExit)?.to;
      if (to === undefined || to === next) break;
      [currentStep, currentExit] = [to, 'exhausted'];
    }
  }
  return taken;
}
