import { decisionFacts } from '../../domain/flows/decision-facts';
import { flowLimits } from '../../domain/flows/flow-limits';
import { ConditionError, createConditions } from '../../platform/conditions/conditions';
import type { RulesToChooseFrom } from '../../workflows/ports';

const { evaluate } = createConditions(decisionFacts, { maxLength: flowLimits.conditionCharacters });

/**
 * Evaluates the conditions of a decide step in their order, in a thread of the compute pool. Returns the index of the first true condition,
 * or null if none is true. Returns `failed` if a condition before the first true one cannot be evaluated.
 */
export function chooseRule({
  conditions,
  facts,
}: Pick<RulesToChooseFrom, 'conditions' | 'facts'>): { rule: number | null } | { failed: string } {
  try {
    const index = conditions.findIndex((condition) => evaluate(condition, facts));
    return { rule: index === -1 ? null : index };
  } catch (error) {
    if (error instanceof ConditionError) return { failed: error.message };
    throw error;
  }
}
