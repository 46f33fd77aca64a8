import { condition } from '@temporalio/workflow';
import type { DecideStep } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/bounds';
import { decisionFactsOf } from '../../domain/flows/decision-facts';
import { leaveStep, leaveUndecided } from '../../domain/flows/leave-step';
import { reasonOf } from '../../domain/flows/transitions';
import { lastExitsOf, originOf, visitsOf } from '../../domain/flows/run';
import { chooseRule } from '../activities';
import { isConditionFailed } from '../failures';
import type { RulesToChooseFrom } from '../ports';
import type { RunVisit } from './run-visit';

/**
 * Leaves a step by its first rule that is true, by `else`, or, only if a condition cannot be evaluated, by `failed`. Waits for the evidence
 * first, because conditions may use the score. If there is no result now, because the share of the tenant is used up or the machine is busy,
 * the flow run waits outside the lock. Then this function is called again. `hasTurn`: the flow run has waited.
 */
export async function decideStep(visit: RunVisit, step: DecideStep, hasTurn = false): Promise<void> {
  const { live, run } = visit;
  await condition(() => live.state.evidence !== undefined);
  await visit.runExclusive(async (at) => {
    const facts = decisionFactsOf(live.state, lastExitsOf(run), visitsOf(run), at);
    const conditions = step.rules.map(({ when }) => when);
    const choice = await chooseOrWait(
      { tenant: live.state.tenant, conditions, facts, hasTurn },
      `${originOf(run)}: decide by the rules`,
    );
    if (choice === 'NotDecided') return visit.leave((current) => leaveUndecided(current, step, at));
    if ('waitMs' in choice) {
      const pauseSeconds = pauseSecondsAfter(run.path.at(-1)?.enteredAt ?? at, at);
      return visit.waitFor(Math.max(pauseSeconds, choice.waitMs / 1_000), at);
    }
    const chosenRule = choice.rule === null ? undefined : step.rules[choice.rule];
    const transition = chosenRule
      ? {
          exit: String(Number(choice.rule) + 1),
          to: chosenRule.then,
          // A condition can be longer than a text in `because`. Such a condition is cut, so that the path of the flow run stays small.
          reason: reasonOf(chosenRule).slice(0, flowLimits.titleCharacters),
        }
      : { exit: 'else', to: step.else };
    return visit.leave((current) => leaveStep(current, transition, at));
  });
}

/**
 * The index of the first rule that is true. Null if no rule is true. `NotDecided` if a condition cannot be evaluated. `waitMs` if there is no
 * result now, also after all other errors: they say nothing about the conditions, so a later evaluation can succeed.
 */
async function chooseOrWait(
  rules: RulesToChooseFrom,
  summary: string,
): Promise<{ rule: number | null } | { waitMs: number } | 'NotDecided'> {
  try {
    return await chooseRule.executeWithOptions({ summary }, [rules]);
  } catch (error) {
    return isConditionFailed(error) ? 'NotDecided' : { waitMs: 0 };
  }
}

/**
 * How long a flow run waits at `at` before its rules are evaluated again, in seconds: as long as it has been at the step, so the pauses
 * double. At most 30 s: this is soon enough after an outage, and adds little to the history of the workflow.
 */
const pauseSecondsAfter = (enteredAt: string, at: string): number =>
  Math.min(30, Math.max(1, (Date.parse(at) - Date.parse(enteredAt)) / 1_000));
