import { writeFileSync } from 'node:fs';
import { drawFlow } from '../../api/flows/draw-flow';
import { FlowError } from '../../domain/flows/flow-error';
import { mermaidOf } from '../../domain/flows/mermaid';
import { countWords } from '../../domain/flows/step-words';
import { faultsOf, printBounds, printFaults, shapeFaultsOf } from './check-command';
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
  simulate: NonNullable<Surroundings['simulate']>;
}

/** Tells the faults of a flow. Answers whether it has none. */
function isGood(open: OpenFlow, { write, colours }: Run): boolean {
  const faults = faultsOf(open);
  if (faults.length > 0) write(printFaults(open.file, faults, colours));
  return faults.length === 0;
}

function check(run: Run): boolean {
  const good = run.options.files.map((file) => {
    const open = openFlow(file);
    if (!isGood(open, run)) return false;
    run.write(printBounds(open, run.colours));
    return true;
  });
  return good.every(Boolean);
}

async function draw({ options, write, colours }: Run, stderr: Screen): Promise<boolean> {
  const { flow, file } = openFlow(options.files[0] ?? '');
  const misshapen = shapeFaultsOf(flow);
  if (misshapen.length > 0) {
    stderr.write(printFaults(file, misshapen, colours));
    return false;
  }
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
  return true;
}

function scenarioOf({ file }: OpenFlow, { person, scenario }: Options): Scenario {
  if (person !== undefined) return readPersonOption(person);
  const all = openScenarios(file);
  const found = all.find(({ name }) => name === scenario);
  if (found) return found;
  throw new FileError(`There is no scenario "${scenario}"; there are:\n  ${all.map(({ name }) => name).join('\n  ')}`);
}

async function simulate(run: Run): Promise<boolean> {
  const open = openFlow(run.options.files[0] ?? '');
  const scenario = scenarioOf(open, run.options);
  if (!isGood(open, run)) return false;
  const simulation = await run.simulate();
  try {
    const timeline = await simulation.run(open.flow, scenario);
    run.write(printTimeline(timeline, run.colours));
    return timeline.outcome !== undefined;
  } finally {
    await simulation.stop();
  }
}

async function test(run: Run): Promise<boolean> {
  const flows = run.options.files.map((file) => ({ open: openFlow(file), scenarios: openScenarios(file) }));
  const faulty = flows.filter(({ open }) => !isGood(open, run));
  if (faulty.length > 0) return false;
  const simulation = await run.simulate();
  try {
    let failed = 0;
    for (const { open, scenarios } of flows) failed += await runScenarios(open, scenarios, simulation, run);
    const count = flows.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    run.write(`\n${countWords(count, 'scenario')}, ${failed} failed\n`);
    return failed === 0;
  } finally {
    await simulation.stop();
  }
}

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
    const run: Run = { options, colours, write, simulate: surroundings.simulate ?? simulateOnServer };
    const commands = { check, draw: () => draw(run, stderr), simulate, test };
    return (await commands[options.command](run)) ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError) stderr.write(`${error.message}\n\n${usage}`);
    else if (error instanceof FileError || error instanceof ScenarioError) stderr.write(`${error.message}\n`);
    else if (error instanceof FlowError) {
      stderr.write(`${error.message}\n`);
      return 1;
    } else throw error;
    return 2;
  }
}
