import { writeFileSync } from 'node:fs';
import { drawFlow } from '../../api/flows/draw-flow';
import { FlowError } from '../../domain/flows/flow-error';
import { mermaidOf } from '../../domain/flows/mermaid';
import { countWords } from '../../domain/flows/step-words';
import { faultsOf, isDrawable, printBounds, printFaults } from './check-command';
import { type Colours, makeColours } from './colours';
import { FileError } from './file-error';
import { besideFlow, openFlow, openScenarios, type OpenFlow } from './open-flow';
import { asksForHelp, type Options, readOptions, usage, UsageError } from './options';
import { printTimeline } from './print-timeline';
import { runScenarios } from './run-scenarios';
import { readPersonOption, type Scenario } from './scenario';
import { ScenarioError } from './scenario-error';
import { simulateOnServer } from './simulate-on-server';
import type { Simulation } from './timeline';

interface Screen {
  write: (text: string) => unknown;
  isTTY?: boolean | undefined;
}

/** What a run of the command needs of its surroundings. Faults of usage and files go to `stderr`. */
export interface Surroundings {
  stdout: Screen;
  stderr: Screen;
  /** NO_COLOR is all that is looked at. */
  env: Readonly<Record<string, string | undefined>>;
  /** Starts what runs flows; the real workflow on a server of its own when absent. */
  simulate?: () => Promise<Simulation & { stop: () => Promise<void> }>;
}

interface Run {
  options: Options;
  colours: Colours;
  write: (text: string) => void;
  stderr: Screen;
  simulate: NonNullable<Surroundings['simulate']>;
}

/** Tells the faults of a flow. Answers whether it has none. */
function isGood(open: OpenFlow, { write, colours }: Run): boolean {
  const faults = faultsOf(open);
  if (faults.length > 0) write(printFaults(open.file, faults, colours));
  return faults.length === 0;
}

function check(run: Run): number {
  return highest(
    run.options.files.map((file) =>
      attempt(run, () => {
        const open = openFlow(file);
        if (!isGood(open, run)) return 1;
        run.write(printBounds(open, run.colours));
        return 0;
      }),
    ),
  );
}

async function draw({ options, write, colours, stderr }: Run): Promise<number> {
  const open = openFlow(options.files[0] ?? '');
  const { flow, file } = open;
  const faults = faultsOf(open);
  if (faults.length > 0) stderr.write(printFaults(file, faults, colours));
  if (!isDrawable(flow)) return 1;
  const out = options.out ?? besideFlow(file, '.svg');
  const svg = await drawFlow(flow);
  try {
    writeFileSync(out, svg);
  } catch {
    throw new FileError(`${out} cannot be written.`);
  }
  write(mermaidOf(flow));
  // The diagram is alone on the standard output, for a file or a pipe.
  stderr.write(`Wrote ${out}.\n`);
  return faults.length === 0 ? 0 : 1;
}

function scenarioOf({ file }: OpenFlow, { person, scenario }: Options): Scenario {
  if (person !== undefined) return readPersonOption(person);
  const all = openScenarios(file);
  const found = all.find(({ name }) => name === scenario);
  if (found) return found;
  throw new FileError(`There is no scenario "${scenario}"; there are:\n  ${all.map(({ name }) => name).join('\n  ')}`);
}

async function simulate(run: Run): Promise<number> {
  const open = openFlow(run.options.files[0] ?? '');
  const scenario = scenarioOf(open, run.options);
  if (!isGood(open, run)) return 1;
  const simulation = await run.simulate();
  try {
    const timeline = await simulation.run(open.flow, scenario);
    run.write(printTimeline(timeline, run.colours));
    return timeline.outcome === undefined ? 1 : 0;
  } finally {
    await simulation.stop();
  }
}

async function test(run: Run): Promise<number> {
  const flows: { open: OpenFlow; scenarios: readonly Scenario[] }[] = [];
  const codes = run.options.files.map((file) =>
    attempt(run, () => {
      const open = openFlow(file);
      if (!isGood(open, run)) return 1;
      flows.push({ open, scenarios: openScenarios(file) });
      return 0;
    }),
  );
  return highest([...codes, flows.length === 0 ? 0 : await runAll(flows, run)]);
}

async function runAll(flows: readonly { open: OpenFlow; scenarios: readonly Scenario[] }[], run: Run): Promise<number> {
  const simulation = await run.simulate();
  try {
    let failed = 0;
    for (const { open, scenarios } of flows) failed += await runScenarios(open, scenarios, simulation, run);
    const count = flows.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    run.write(`\n${countWords(count, 'scenario')}, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    await simulation.stop();
  }
}

/** Tells what a person can mend, and answers its exit code. Throws everything else. */
function codeOf(error: unknown, stderr: Screen): number {
  if (error instanceof UsageError) stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof FileError || error instanceof ScenarioError || error instanceof FlowError)
    stderr.write(`${error.message}\n`);
  else throw error;
  return error instanceof FlowError ? 1 : 2;
}

/** The exit code of a part, so that the others are gone through whatever becomes of it. */
function attempt({ stderr }: Run, part: () => number): number {
  try {
    return part();
  } catch (error) {
    return codeOf(error, stderr);
  }
}

const highest = (codes: readonly number[]) => Math.max(0, ...codes);

/**
 * The command for flows. Answers the exit code: 0 when all is good; 1 for faults and failed scenarios; 2 for wrong usage and
 * for files that cannot be used.
 */
export async function runFlow(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  if (asksForHelp(args)) {
    stdout.write(usage);
    return 0;
  }
  try {
    const options = readOptions(args);
    const colours = makeColours(stdout.isTTY === true && !env['NO_COLOR'] && !options.plain);
    const write = (text: string) => void stdout.write(text);
    const run: Run = { options, colours, write, stderr, simulate: surroundings.simulate ?? simulateOnServer };
    const commands = { check, draw, simulate, test };
    return await commands[options.command](run);
  } catch (error) {
    return codeOf(error, stderr);
  }
}
