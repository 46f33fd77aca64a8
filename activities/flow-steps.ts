import { decisionFacts } from '../domain/flows/decision-facts';
import { flowLimits } from '../domain/flows/flow-limits';
import { digestCorrectCode } from '../platform/codes';
import { ConditionError, createConditions } from '../platform/conditions/conditions';
import type { Keys } from '../platform/keys/keys';
import { biometricsToken, hashBiometricsToken } from '../platform/links';
import type { Activities } from '../workflows/ports';

/**
 * Creates the activity that evaluates the conditions of a decide step. It returns the index of the first true condition, or null. A
 * condition that this version of the service cannot read counts as false.
 */
export function createRuleChooser(): Activities['chooseRule'] {
  const { evaluate } = createConditions(decisionFacts, { maxLength: flowLimits.conditionCharacters });
  const isTrue = (condition: string, facts: Readonly<Record<string, unknown>>) => {
    try {
      return evaluate(condition, facts);
    } catch (error) {
      if (error instanceof ConditionError) return false;
      throw error;
    }
  };
  return async ({ conditions, facts }) => {
    const ruleIndex = conditions.findIndex((condition) => isTrue(condition, facts));
    return { rule: ruleIndex === -1 ? null : ruleIndex };
  };
}

/**
 * The activities that derive a code or a link of a flow run. The workflow has no keys, so activities do this. They return only the digest
 * of the code, or the hash of the link, so that the code and the link never reach the workflow.
 */
export function createHashActivities(keys: Keys): Pick<Activities, 'digestCode' | 'hashLink'> {
  return {
    digestCode: async ({ transactionId, confirmationId, ...settings }) => ({
      digest: digestCorrectCode(keys, transactionId, confirmationId, settings),
    }),
    hashLink: async (link) => ({ tokenHash: hashBiometricsToken(biometricsToken(keys, link)) }),
  };
}
