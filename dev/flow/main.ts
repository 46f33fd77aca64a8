import { writeFileSync } from 'node:fs';
import { FlowError } from '../../domain/flows/flow-error';
import { drawingStyle, flowToDot } from '../../domain/flows/flow-to-dot';
import { mermaidOf } from '../../domain/flows/mermaid';
import { formatCount } from '../../domain/flows/describe-step';
import { renderDot } from '../../platform/graphviz';
import { FileError } from './load-flow';
import { fileNextTo, isDrawable, openFlow, openScenarios, type OpenFlow } from './open-flow';
import { isHelpRequest, type Options, readOptions, usage, UsageError } from './options';
import { type Colors, makeColors, printBounds, printIssues, printTimeline } from './print';
import { runScenarios } from './run-scenarios';
import { readPersonOption, type Scenario } from './scenario';
import { simulateOnServer } from './simulation/simulate-on-server';
import type { Simulation } from './timeline';

interface OutputStream {
  write: (text: string) => unknown;
  isTTY?: boolean | undefined;
}

/** What a run of the command needs of its context. Wrong usage and files that cannot be used go to `stderr`. */
export interface CommandContext {
  stdout: OutputStream;
  stderr: OutputStream;
  /** Only NO_COLOR is read. */
  env: Readonly<Record<string, string | undefined>>;
  /** Starts the test engine. Default: the real workflow on a time-skipping server. */
  simulate?: () => Promise<Simulation & { stop: () => Promise<void> }>;
}

interface Invocation {
  options: Options;
  colors: Colors;
  write: (text: string) => void;
  stderr: OutputStream;
  simulate: NonNullable<CommandContext['simulate']>;
}

/** Prints the issues of a flow. Returns whether it has none. */
function reportIssues(open: OpenFlow, { write, colors }: Invocation): boolean {
  if (open.issues.length > 0) write(printIssues(open, colors));
  return open.issues.length === 0;
}

function check(invocation: Invocation): number {
  return highest(
    invocation.options.files.map((file) =>
      attempt(invocation, () => {
        const open = openFlow(file);
        if (!reportIssues(open, invocation)) return 1;
        invocation.write(printBounds(open, invocation.colors));
        return 0;
      }),
    ),
  );
}

async function draw({ options, write, colors, stderr }: Invocation): Promise<number> {
  const open = openFlow(options.files[0] ?? '');
  const { flow, file, issues } = open;
  if (issues.length > 0) stderr.write(printIssues(open, colors));
  if (!isDrawable(flow)) {
    stderr.write('Nothing was drawn. Fix these issues first.\n');
    return 1;
  }
  const out = options.out ?? fileNextTo(file, '.svg');
  const svg = await renderDot(flowToDot(flow), drawingStyle);
  try {
    writeFileSync(out, svg);
  } catch {
    throw new FileError(`${out} cannot be written.`);
  }
  write(mermaidOf(flow));
  // stdout carries only the diagram, so that it can be piped.
  stderr.write(`Wrote ${out}.\n`);
  return issues.length === 0 ? 0 : 1;
}

function scenarioOf(open: OpenFlow, { person, scenario }: Options): Scenario {
  if (person !== undefined) return readPersonOption(person);
  const all = openScenarios(open);
  const found = all.find(({ name }) => name === scenario);
  if (found) return found;
  throw new FileError(
    `There is no scenario "${scenario}". The scenarios are:\n  ${all.map(({ name }) => name).join('\n  ')}`,
  );
}

async function simulate(invocation: Invocation): Promise<number> {
  const open = openFlow(invocation.options.files[0] ?? '');
  const scenario = scenarioOf(open, invocation.options);
  if (!reportIssues(open, invocation)) return 1;
  const simulation = await invocation.simulate();
  try {
    const timeline = await simulation.run(open.flow, scenario);
    invocation.write(printTimeline(timeline, invocation.colors));
    return timeline.outcome === undefined ? 1 : 0;
  } finally {
    await simulation.stop();
  }
}

async function test(invocation: Invocation): Promise<number> {
  const flows: { open: OpenFlow; scenarios: readonly Scenario[] }[] = [];
  const codes = invocation.options.files.map((file) =>
    attempt(invocation, () => {
      const open = openFlow(file);
      if (!reportIssues(open, invocation)) return 1;
      flows.push({ open, scenarios: openScenarios(open) });
      return 0;
    }),
  );
  return highest([...codes, flows.length === 0 ? 0 : await runAll(flows, invocation)]);
}

async function runAll(
  flows: readonly { open: OpenFlow; scenarios: readonly Scenario[] }[],
  invocation: Invocation,
): Promise<number> {
  const simulation = await invocation.simulate();
  try {
    let failed = 0;
    for (const { open, scenarios } of flows) failed += await runScenarios(open, scenarios, simulation, invocation);
    const count = flows.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    invocation.write(`\n${formatCount(count, 'scenario')}, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    await simulation.stop();
  }
}

/** Prints an error that the user can fix and returns its exit code. Throws every other error. */
function reportError(error: unknown, stderr: OutputStream): number {
  if (error instanceof UsageError) stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof FileError || error instanceof FlowError) stderr.write(`${error.message}\n`);
  else throw error;
  return error instanceof FlowError ? 1 : 2;
}

/** Runs one part and returns its exit code. An error does not stop the other parts. */
function attempt({ stderr }: Invocation, part: () => number): number {
  try {
    return part();
  } catch (error) {
    return reportError(error, stderr);
  }
}

const highest = (codes: readonly number[]) => Math.max(0, ...codes);

/** The flow command. Returns the exit code: 0 success, 1 issues or failed scenarios, 2 wrong usage or an unusable file. */
export async function runFlow(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr, env } = context;
  if (isHelpRequest(args)) {
    stdout.write(usage);
    return 0;
  }
  try {
    const options = readOptions(args);
    const colors = makeColors(stdout.isTTY === true && !env['NO_COLOR'] && !options.plain);
    const write = (text: string) => void stdout.write(text);
    const invocation: Invocation = {
      options,
      colors,
      write,
      stderr,
      simulate: context.simulate ?? simulateOnServer,
    };
    const commands = { check, draw, simulate, test };
    return await commands[options.command](invocation);
  } catch (error) {
    return reportError(error, stderr);
  }
}
