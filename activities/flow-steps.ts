import { decisionFacts } from '../domain/flows/decision-facts';
import { flowLimits } from '../domain/flows/flow-limits';
import { digestCode } from '../platform/codes';
import { ConditionError, createConditions } from '../platform/conditions/conditions';
import type { Keys } from '../platform/keys';
import { biometricsToken, hashBiometricsToken } from '../platform/links';
import type { Activities } from '../workflows/ports';

/** Evaluates the conditions of a decide step. A condition that this version cannot read is false. */
export function createRuleChooser(): Activities['chooseRule'] {
  const { evaluate } = createConditions(decisionFacts, { maxLength: flowLimits.condition });
  const isTrue = (condition: string, facts: Readonly<Record<string, unknown>>) => {
    try {
      return evaluate(condition, facts);
    } catch (error) {
      if (error instanceof ConditionError) return false;
      throw error;
    }
  };
  return async ({ conditions, facts }) => {
    const rule = conditions.findIndex((condition) => isTrue(condition, facts));
    return { rule: rule === -1 ? null : rule };
  };
}

/** Derives the codes and links of a flow run where the keys are: the workflow gets only digests and hashes. */
export function deriveRunSecrets(keys: Keys): Pick<Activities, 'digestCode' | 'hashLink'> {
  return {
    digestCode: async ({ transactionId, confirmationId, name, codeDigits }) => ({
      digest: digestCode(keys, transactionId, confirmationId, { name, codeDigits }),
    }),
    hashLink: async (link) => ({ tokenHash: hashBiometricsToken(biometricsToken(keys, link)) }),
  };
}
