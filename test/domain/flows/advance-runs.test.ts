import { advanceRuns, effectOf, needsSave } from '../../../domain/flows/advance-runs';
import type { FlowDefinition, Step } from '../../../domain/flows/definition';
import { findRun, withRun } from '../../../domain/flows/runs';
import type { FlowRun } from '../../../domain/flows/run';
import { decideOnStart } from '../../../domain/flows/run-commands';
import { createLink, withLink } from '../../../domain/biometrics/link';
import { addSend } from '../../../domain/confirmations/send';
import type { TransactionState } from '../../../domain/transactions/state';
import { flowWithEveryKind } from '../../support/every-kind.flow';
import { addMs, buildState } from '../../support/build';
import { planOf } from '../../support/flow-plan';

const now = '2026-06-01T12:00:00.000Z';
const at = (seconds: number) => addMs(now, seconds * 1_000);
const end: Step = { kind: 'outcome', outcome: 'Over' };

/** A started flow run, advanced at its start, as a change of the workflow does. */
class World {
  state: TransactionState;
  readonly runId: string;

  constructor(steps: FlowDefinition['steps'], start: string) {
    const initial = buildState({}, now);
    const plan = planOf({ name: 'tested', version: 1, start, steps }, initial.id);
    const decided = decideOnStart(initial, plan, now);
    if (!('state' in decided)) throw new Error('The flow run does not start.');
    this.state = advanceRuns(decided.state, now);
    this.runId = plan.runId;
  }

  get run(): FlowRun {
    const run = findRun(this.state, this.runId);
    if (!run) throw new Error('There is no flow run.');
    return run;
  }

  get effect() {
    return effectOf(this.state, this.run);
  }

  /** The names of the steps that the flow run has entered. */
  get path(): string[] {
    return this.run.path.map(({ step }) => step);
  }

  advance(seconds: number): void {
    this.state = advanceRuns(this.state, at(seconds));
  }

  /** Starts the current confirm step. */
  ask(): void {
    const step = this.run.path.at(-1)?.step ?? '';
    const proposal = this.run.plan?.confirmations[step];
    if (!proposal) throw new Error(`The step ${step} asks nothing.`);
    const result = addSend(this.state, { ...proposal, confirmationId: step, digest: 'd' }, now);
    if ('error' in result) throw new Error(result.error.type);
    this.state = withRun(result.state, { ...this.run, awaiting: { confirmationId: step } });
  }
}

const stepOf = (name: string): Step => {
  const step = flowWithEveryKind.steps[name];
  if (!step) throw new Error(`There is no step ${name}.`);
  return step;
};

test('a wait starts when its step is entered, and waits in a row end one after the other', () => {
  const world = new World(
    { first: { kind: 'wait', seconds: 5, then: 'second' }, second: { kind: 'wait', seconds: 60, then: 'end' }, end },
    'first',
  );
  expect(world.effect).toEqual({ kind: 'timer', at: at(5) });
  world.advance(4);
  expect(world.path).toEqual(['first']);
  world.advance(6);
  expect(world.path).toEqual(['first', 'second']);
  expect(world.effect).toEqual({ kind: 'timer', at: at(66) });
  world.advance(66);
  expect([world.run.outcome, world.effect]).toEqual(['Over', undefined]);
});

test('a confirm step is started by the workflow, then the flow run waits for the person, then it leaves by the status', () => {
  const [name, step] = Object.entries(flowWithEveryKind.steps).find(([, { kind }]) => kind === 'confirm') ?? [];
  if (step?.kind !== 'confirm' || name === undefined) throw new Error('The flow has different steps.');
  const exits = Object.fromEntries(Object.keys(step.exits).map((exit) => [exit, 'end']));
  const world = new World({ [name]: { ...step, exits }, end }, name);
  expect(world.effect).toEqual({ kind: 'ask' });
  world.ask();
  expect(world.effect).toBeUndefined();
  const before = world.state;
  world.advance(1);
  expect(world.state).toBe(before);
  world.state = {
    ...world.state,
    confirmations: world.state.confirmations.map((one) => ({ ...one, status: 'Expired' as const })),
  };
  world.advance(2);
  expect([world.run.path[0]?.exit, world.run.outcome]).toEqual(['Expired', 'Over']);
});

test('a message that must wait is asked for again when the wait is over, and rules are evaluated again', () => {
  const world = new World(flowWithEveryKind.steps, flowWithEveryKind.start);
  const { effect } = world;
  world.state = withRun(world.state, { ...world.run, awaiting: { until: at(30) } });
  const isDecide = effect?.kind === 'decide';
  expect(world.effect).toEqual({ kind: isDecide ? 'decide' : 'timer', at: at(30) });
  world.advance(30);
  expect(world.effect).toEqual(isDecide ? { kind: 'decide', at: at(30) } : effect);
});

test('without a decision in time, submitted images leave their step by the exit Undecided', () => {
  const pictures = stepOf('pictures');
  if (pictures.kind !== 'biometrics') throw new Error('The flow has different steps.');
  const exits = Object.fromEntries(Object.keys(pictures.exits).map((exit) => [exit, 'end']));
  const world = new World({ pictures: { ...pictures, exits }, end }, 'pictures');
  expect(world.effect).toEqual({ kind: 'link' });
  const planned = world.run.plan?.links['pictures'];
  if (!planned) throw new Error('The plan has no link.');
  const result = createLink(world.state, { ...planned, biometricsId: 'link', tokenHash: 'h' }, now);
  if ('error' in result) throw new Error(result.error.type);
  world.state = withRun(result.state, { ...world.run, awaiting: { biometricsId: 'link' } });
  expect(world.effect).toBeUndefined();
  world.state = withLink(world.state, { ...result.biometrics, status: 'Processing', submittedAt: at(9) });
  const dueSeconds = 9 + pictures.decideWithinSeconds;
  expect(world.effect).toEqual({ kind: 'timer', at: at(dueSeconds) });
  world.advance(dueSeconds - 1);
  expect(world.path).toEqual(['pictures']);
  world.advance(dueSeconds);
  expect([world.run.path[0]?.exit, world.run.outcome]).toEqual(['Undecided', 'Over']);
});

test('the end of a flow run is saved at once, even if another flow run moves at the same time and saves later', () => {
  const pauseThen = (next: Step): FlowDefinition['steps'] => ({
    pause: { kind: 'wait', seconds: 60, then: 'next' },
    next,
    end,
  });
  const decides = new World(
    pauseThen({ kind: 'decide', rules: [{ when: 'true', then: 'end', because: 'always' }], else: 'end' }),
    'pause',
  );
  const ends = new World(pauseThen(end), 'pause');
  const alone = decides.state;
  expect(needsSave(alone, advanceRuns(alone, at(61)))).toBe(false);
  const both = { ...decides.state, runs: [decides.run, ends.run] };
  expect(needsSave(both, advanceRuns(both, at(61)))).toBe(true);
});
