import type { FlowDefinition, Step } from './definition';
import { notDecided } from './leave-step';

/** Whether a flow run can end at this step with the outcome NotDecided. */
export const canEndUndecided = (step: Step): boolean => step.kind === 'decide' && step.failed === undefined;

/** Every outcome that a run of a flow can have, each once: those of its outcome steps, and NotDecided if a decide step can end it. */
export function outcomesOf({ steps }: Pick<FlowDefinition, 'steps'>): string[] {
  const outcomes = Object.values(steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []));
  return [...new Set([...outcomes, ...(Object.values(steps).some(canEndUndecided) ? [notDecided] : [])])];
}
