import { condition, isCancellation } from '@temporalio/workflow';
import type { DecideStep } from '../../domain/flows/definition';
import { factsOf } from '../../domain/flows/facts-of';
import { leaveStep } from '../../domain/flows/leave-step';
import { lastExitsOf, currentStepOf, visitsOf } from '../../domain/flows/run';
import { chooseRule } from '../activities';
import { now } from '../live-transaction';
import type { RulesToChooseFrom } from '../ports';
import type { RunVisit } from './run-visit';

/** Characters of a condition that serves as its own reason: the path of a run stays small. */
const reasonMaxLength = 120;

/** Leaves a step by its first rule that is true. Waits for the evidence first, because conditions may use the score. */
export async function decideStep(visit: RunVisit, step: DecideStep): Promise<void> {
  const { live, run } = visit;
  await condition(() => live.state.evidence !== undefined);
  await visit.exclusive(async () => {
    const facts = factsOf(live.state, lastExitsOf(run), visitsOf(run), now());
    const conditions = step.rules.map(({ when }) => when);
    const rule = await ruleOf({ conditions, facts }, `${currentStepOf(run)}: decide by the rules`);
    const chosen = typeof rule === 'number' ? step.rules[rule] : undefined;
    const leaving = chosen
      ? {
          exit: String(Number(rule) + 1),
          to: chosen.then,
          reason: (chosen.because ?? chosen.when).slice(0, reasonMaxLength),
        }
      : { exit: 'else', to: step.else, ...(rule === 'NotDecided' ? { reason: rule } : {}) };
    await visit.leave((current) => leaveStep(current, leaving, now()));
  });
}

async function ruleOf(rules: RulesToChooseFrom, summary: string): Promise<number | null | 'NotDecided'> {
  try {
    return (await chooseRule.executeWithOptions({ summary }, [rules])).rule;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return 'NotDecided';
  }
}
