import { decisionFacts } from '../../domain/flows/decision-facts';
import { flowLimits } from '../../domain/flows/bounds';
import { ConditionError, createConditions } from '../../platform/conditions/conditions';
import type { RulesToChooseFrom } from '../../workflows/contract/activities';

const { evaluate, costOf } = createConditions(decisionFacts, { maxLength: flowLimits.conditionCharacters });

/**
 * Evaluates the conditions of a decide step in their order, in a thread of the compute pool. Returns the index of the first true condition,
 * or null if none is true. Returns `failed` if a condition before the first true one cannot be evaluated. `cost`: of the conditions that were
 * evaluated, in steps.
 */
export function chooseRule({
  conditions,
  facts,
}: Pick<RulesToChooseFrom, 'conditions' | 'facts'>): ({ rule: number | null } | { failed: string }) & { cost: number } {
  let cost = 0;
  try {
    const index = conditions.findIndex((condition) => {
      cost += costOf(condition, facts);
      return evaluate(condition, facts);
    });
    return { rule: index === -1 ? null : index, cost };
  } catch (error) {
    if (error instanceof ConditionError) return { failed: error.message, cost };
    throw error;
  }
}
