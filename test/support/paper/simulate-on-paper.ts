import type { DecideStep, NotifyStep, Step } from '../../../domain/flows/definition';
import { FlowError } from '../../../domain/flows/flow-error';
import { durationWords } from '../../../domain/flows/step-words';
import type { Templates } from '../../../domain/flows/template';
import type { ScenarioTransaction } from '../../../dev/flow/scenario-transaction';
import type { Simulation } from '../../../dev/flow/timeline';
import { askBiometrics } from './ask-biometrics';
import { askConfirm } from './ask-confirm';
import { type Left, PaperRun } from './paper-run';

export interface Paper {
  templates: Templates;
  /** Whether a condition is true of a transaction. */
  decide: (condition: string, transaction: ScenarioTransaction) => boolean;
}

/** More than a run within its bounds can enter. */
const mostSteps = 500;

function decideOn({ rules }: DecideStep, run: PaperRun, { decide }: Paper): Left {
  const index = rules.findIndex(({ when }) => decide(when, run.scenario.transaction));
  const rule = rules[index];
  return rule
    ? { what: `${rule.because ?? rule.when}:`, exit: `rule ${index + 1}` }
    : { what: 'no rule is true:', exit: 'else' };
}

function tellCaller({ event, giveUpAfterSeconds }: NotifyStep, run: PaperRun): Left {
  const line = run.script.next('webhook');
  if (line) run.script.came(line);
  if (!line) return { what: `tells the caller ${event}:`, exit: 'Delivered' };
  run.now += giveUpAfterSeconds;
  return { what: `the caller does not take ${event}:`, exit: 'Failed' };
}

function go(step: Exclude<Step, { kind: 'outcome' }>, run: PaperRun, paper: Paper): Left {
  if (step.kind === 'confirm') return askConfirm(step, run);
  if (step.kind === 'biometrics') return askBiometrics(step, run);
  if (step.kind === 'decide') return decideOn(step, run, paper);
  if (step.kind === 'notify') return tellCaller(step, run);
  run.now += step.seconds;
  return { what: `waited ${durationWords(step.seconds)}:`, exit: 'Done' };
}

/** Where an exit leads, by the name that timelines give it. */
function targetOf(step: Exclude<Step, { kind: 'outcome' }>, exit: string): string | undefined {
  if (exit === 'spent') return step.spent;
  if (step.kind === 'wait') return step.then;
  if (step.kind !== 'decide') return step.exits[exit];
  return exit === 'else' ? step.else : step.rules[Number(exit.slice('rule '.length)) - 1]?.then;
}

/** Goes through one step. Answers whether the run goes on. */
function takeStep(run: PaperRun, paper: Paper): boolean {
  const step = run.flow.steps[run.step];
  if (!step) throw new FlowError(`${run.flow.name} has no step ${run.step}.`);
  const before = run.enter();
  if (step.kind === 'outcome') {
    run.end(step.outcome);
    return false;
  }
  const spent = step.visits !== undefined && before >= step.visits;
  if (spent) run.turnAway();
  const left = spent ? { what: `was entered ${before} times:`, exit: 'spent' } : go(step, run, paper);
  const to = targetOf(step, left.exit ?? '');
  run.leave(left, to);
  return to !== undefined;
}

/**
 * Runs a flow by its definition alone, at once and without a server: enough to see which ways scenarios take. Budgets over
 * several confirmations are not looked at; the workflow has the last word.
 */
export function simulateOnPaper(paper: Paper): Simulation {
  return {
    async run(flow, scenario) {
      const run = new PaperRun(flow, scenario, paper.templates);
      for (let steps = 0; steps < mostSteps && takeStep(run, paper); steps += 1);
      return run.toTimeline();
    },
  };
}
