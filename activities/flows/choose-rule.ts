import { decisionFacts } from '../../domain/flows/decision-facts';
import { flowLimits } from '../../domain/flows/flow-limits';
import { ConditionError, createConditions } from '../../platform/conditions/conditions';
import type { Activities } from '../../workflows/ports';

/** Evaluates the conditions of decisions. One that this version cannot read is not true, and the next is looked at. */
export function createRuleChooser(): Activities['chooseRule'] {
  const { evaluate } = createConditions(decisionFacts, { maxLength: flowLimits.condition });
  const holds = (condition: string, facts: Readonly<Record<string, unknown>>) => {
    try {
      return evaluate(condition, facts);
    } catch (error) {
      if (error instanceof ConditionError) return false;
      throw error;
    }
  };
  return async ({ conditions, facts }) => {
    const rule = conditions.findIndex((condition) => holds(condition, facts));
    return { rule: rule === -1 ? null : rule };
  };
}
