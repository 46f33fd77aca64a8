import { condition, isCancellation } from '@temporalio/workflow';
import type { DecideStep } from '../../domain/flows/definition';
import { factsOf } from '../../domain/flows/facts-of';
import { left } from '../../domain/flows/move';
import { answersOf, placeOf, type Running, visitsOf } from '../../domain/flows/run';
import { chooseRule } from '../activities';
import { type Life, now } from '../life';
import type { RulesToChooseFrom } from '../ports';
import type { StepMoves } from './step-moves';

/** Of a condition that stands for its own reason: a path stays small. */
const reasonMost = 120;

/** Leaves a step by the first of its rules that holds. Evidence first: a condition on a score not made yet would decide by nothing. */
export async function decideStep(moves: StepMoves, run: Running, step: DecideStep): Promise<void> {
  const { life } = moves;
  await condition(() => life.state.evidence !== undefined);
  const facts = factsOf(life.state, answersOf(run), visitsOf(run), now());
  const conditions = step.rules.map(({ when }) => when);
  const summary = `${placeOf(run)}: decide by the rules`;
  const rule = await ruleOf(life, { conditions, facts }, summary);
  const chosen = typeof rule === 'number' ? step.rules[rule] : undefined;
  const leaving = chosen
    ? {
        exit: String(Number(rule) + 1),
        to: chosen.then,
        reason: (chosen.because ?? chosen.when).slice(0, reasonMost),
      }
    : { exit: 'else', to: step.else, ...(rule === 'NotDecided' ? { reason: rule } : {}) };
  await moves.leave(run, (known) => left(known, leaving, now()));
}

async function ruleOf(life: Life, asked: RulesToChooseFrom, summary: string): Promise<number | null | 'NotDecided'> {
  try {
    return (await life.alone(() => chooseRule.executeWithOptions({ summary }, [asked]))).rule;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return 'NotDecided';
  }
}
