import { sample, tuple } from 'fast-check';
import { boundsOf } from '../../domain/flows/bounds';
import { checkFlow } from '../../domain/flows/check-flow';
import { decisionFacts } from '../../domain/flows/decision-facts';
import type { FlowRun } from '../../domain/flows/run';
import { templates } from '../../flows/templates';
import { createConditions } from '../../platform/conditions/conditions';
import { anyFlow } from '../support/random/any-flow';
import { anyPerson } from '../support/random/any-person';
import { shortenScenario } from '../support/random/shorten-scenario';
import { type CompletedRun, runScenarios } from '../support/random/run-scenarios';
import { runShortScenarios } from '../support/random/run-short-scenarios';
import { sampleOrAll, sampleOf, seed } from '../support/sample';

const flows = sampleOrAll(200, 500);
const replays = sampleOrAll(5, 20);

const { check: checkCondition } = createConditions(decisionFacts);
const drawn = sample(tuple(anyFlow, anyPerson), { numRuns: flows, seed });
const checked = drawn.map(([flow, person]) => ({
  flow,
  person,
  issues: checkFlow(flow, { templates, checkCondition }),
}));
const accepted = checked.filter(({ issues }) => issues.length === 0);
const sampled = sampleOf(accepted, 25);

const secondsOf = ({ startedAt, endedAt }: FlowRun) =>
  endedAt === undefined ? Infinity : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;

/** The violations of the definition by a run. */
function wrongWith({ flow, run, sends }: CompletedRun): string[] {
  const bounds = boundsOf(flow);
  const outcomes = Object.values(flow.steps).flatMap((step) => (step.kind === 'outcome' ? [step.outcome] : []));
  return [
    ...(run.status === 'Completed' ? [] : [`it is ${run.status} in ${run.path.at(-1)?.step}`]),
    ...(secondsOf(run) <= bounds.seconds ? [] : [`it took ${secondsOf(run)} s of ${bounds.seconds}`]),
    ...(sends <= bounds.sends ? [] : [`it sent ${sends} of ${bounds.sends}`]),
    ...(outcomes.includes(run.outcome ?? '') ? [] : [`it ended as ${run.outcome}`]),
  ];
}

const tally = (values: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([value, count]) => `${value} ${count}`);
};

describe(`${flows} random flows of seed ${seed} (TEST_SEED)`, () => {
  test('about half are valid, and the others are invalid in many ways', () => {
    const codes = tally(checked.flatMap(({ issues }) => [...new Set(issues.map(({ code }) => code))]));
    console.log(`${accepted.length} accepted, ${flows - accepted.length} refused: ${codes.join(', ')}`);
    // Far from the result of any seed: only a change of the generator or of the checks fails here.
    expect(accepted.length).toBeGreaterThan(flows / 3);
    expect(codes.length).toBeGreaterThan(15);
  });

  test('every accepted flow ends within its bounds, for any person', async () => {
    const { completed, lost } = await runScenarios(sampled);
    // The time-skipping server sometimes loses a run on a busy machine: those are simulated with short times.
    const ended = [...completed, ...(lost.length === 0 ? [] : await runShortScenarios(lost))];
    const longest = Math.max(...ended.map(({ run }) => secondsOf(run)));
    const share = Math.max(...ended.map(({ flow, run }) => secondsOf(run) / boundsOf(flow).seconds));
    console.log(
      [
        `${ended.length} runs, ${lost.length} of them in short: ${tally(ended.map(({ run }) => run.outcome ?? run.status)).join(', ')}`,
        `exits: ${tally(ended.flatMap(({ run }) => run.path.map(({ exit = 'end' }) => exit))).join(', ')}`,
        `longest ${(longest / 86_400).toFixed(1)} days; ${(100 * share).toFixed(1)} % of the bound at most`,
        `most steps ${Math.max(...ended.map(({ run }) => run.path.length))}, most sends ${Math.max(...ended.map(({ sends }) => sends))}`,
      ].join('\n'),
    );
    const wrong = ended.flatMap((one) => (wrongWith(one).length === 0 ? [] : [{ wrong: wrongWith(one), ...one }]));
    expect(ended).toHaveLength(sampled.length);
    // One is enough for the output; all of them would be pages.
    expect({ seed, count: wrong.length, first: JSON.stringify(wrong[0]) }).toEqual({ seed, count: 0 });
  }, 600_000);

  test(`the histories of ${replays} of them with short times replay`, async () => {
    const short = accepted
      .filter((scenario) => checkFlow(shortenScenario(scenario).flow, { templates, checkCondition }).length === 0)
      .toSorted((one, other) => Object.keys(other.flow.steps).length - Object.keys(one.flow.steps).length)
      .slice(0, replays);
    const ended = await runShortScenarios(short);
    console.log(`${ended.length} replayed: ${tally(ended.map(({ run }) => run.outcome ?? run.status)).join(', ')}`);
    const left = ended.filter(({ run }) => run.status !== 'Completed');
    expect({ seed, left: left.map(({ flow, run }) => JSON.stringify({ flow, path: run.path })) }).toEqual({
      seed,
      left: [],
    });
  }, 600_000);
});
