import { condition, isCancellation } from '@temporalio/workflow';
import type { DecideStep } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/flow-limits';
import { decisionFactsOf } from '../../domain/flows/decision-facts-of';
import { leaveStep, leaveUndecided } from '../../domain/flows/leave-step';
import { reasonOf } from '../../domain/flows/transitions';
import { lastExitsOf, originOf, visitsOf } from '../../domain/flows/run';
import { chooseRule } from '../activities';
import type { RulesToChooseFrom } from '../ports';
import type { RunVisit } from './run-visit';

/** Leaves a step by its first rule that is true, by `else`, or by `failed`. Waits for the evidence first, because conditions may use the score. */
export async function decideStep(visit: RunVisit, step: DecideStep): Promise<void> {
  const { live, run } = visit;
  await condition(() => live.state.evidence !== undefined);
  await visit.runExclusive(async (at) => {
    const facts = decisionFactsOf(live.state, lastExitsOf(run), visitsOf(run), at);
    const conditions = step.rules.map(({ when }) => when);
    const ruleIndex = await chooseRuleIndex(
      { tenant: live.state.tenant, conditions, facts },
      `${originOf(run)}: decide by the rules`,
    );
    if (ruleIndex === 'NotDecided') return visit.leave((current) => leaveUndecided(current, step, at));
    const chosenRule = ruleIndex === null ? undefined : step.rules[ruleIndex];
    const transition = chosenRule
      ? {
          exit: String(Number(ruleIndex) + 1),
          to: chosenRule.then,
          // A condition can be longer than a text in `because`. Such a condition is cut, so that the path of the flow run stays small.
          reason: reasonOf(chosenRule).slice(0, flowLimits.titleCharacters),
        }
      : { exit: 'else', to: step.else };
    return visit.leave((current) => leaveStep(current, transition, at));
  });
}

/** The index of the first rule that is true. Null if no rule is true. `NotDecided` if a condition cannot be evaluated. */
async function chooseRuleIndex(rules: RulesToChooseFrom, summary: string): Promise<number | null | 'NotDecided'> {
  try {
    return (await chooseRule.executeWithOptions({ summary }, [rules])).rule;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return 'NotDecided';
  }
}
