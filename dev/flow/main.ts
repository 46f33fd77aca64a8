import { writeFileSync } from 'node:fs';
import { isDrawable } from '../../api/flows/checks/check-text';
import { createDefaultMessageCheck } from '../../api/flows/checks/message-check';
import { FlowError } from '../../domain/flows/definition';
import { drawingStyle, flowToDot, flowToMermaid } from '../../domain/flows/diagrams';
import { formatCount } from '../../domain/flows/describe-step';
import { quote } from '../../domain/text';
import { renderDot } from '../../api/flows/compute/graphviz';
import { FileError } from './load-flow';
import { siblingFile, openFlow, openScenarios, type FlowFile } from './open-flow';
import { isHelpRequest, type Options, readOptions, usage, UsageError } from './options';
import { type Colors, makeColors, formatBounds, formatIssues, formatTimeline } from './print';
import { runScenarios } from './run-scenarios';
import { readPersonOption, type Scenario } from './scenario';
import { simulateOnServer } from './simulation/simulate-on-server';
import type { Simulation } from './timeline';

interface OutputStream {
  write: (text: string) => unknown;
  isTTY?: boolean | undefined;
}

/** The streams and the environment of the command. Errors about the usage and about files go to `stderr`. */
export interface CommandContext {
  stdout: OutputStream;
  stderr: OutputStream;
  /** The environment variables. Only NO_COLOR is read. */
  env: Readonly<Record<string, string | undefined>>;
  /** Starts the simulation. Default: the real workflow on a test server that skips waiting times. */
  simulate?: () => Promise<Simulation & { stop: () => Promise<void> }>;
}

/** One call of the command, after its options were read. `open` reads and checks a flow file. */
interface Invocation {
  options: Options;
  open: (file: string) => FlowFile;
  colors: Colors;
  write: (text: string) => void;
  stderr: OutputStream;
  simulate: NonNullable<CommandContext['simulate']>;
}

/** Prints the issues of a flow. Returns true if the flow has none. */
function reportIssues(flowFile: FlowFile, { write, colors }: Invocation): boolean {
  if (flowFile.issues.length > 0) write(formatIssues(flowFile, colors));
  return flowFile.issues.length === 0;
}

/** Checks each flow, and prints its issues or its upper bounds. Returns the exit code. */
function check(invocation: Invocation): number {
  return highestExitCode(
    invocation.options.files.map((file) =>
      runForFile(invocation, () => {
        const flowFile = invocation.open(file);
        if (!reportIssues(flowFile, invocation)) return 1;
        invocation.write(formatBounds(flowFile, invocation.colors));
        return 0;
      }),
    ),
  );
}

async function draw({ options, open, write, colors, stderr }: Invocation): Promise<number> {
  const flowFile = open(options.files[0] ?? '');
  const { flow, file, issues } = flowFile;
  if (issues.length > 0) stderr.write(formatIssues(flowFile, colors));
  if (!isDrawable(flow)) {
    stderr.write('Nothing was drawn. Fix these issues first.\n');
    return 1;
  }
  const svgFile = options.out ?? siblingFile(file, '.svg');
  const svg = await renderDot(flowToDot(flow), drawingStyle);
  try {
    writeFileSync(svgFile, svg);
  } catch {
    throw new FileError(`${svgFile} cannot be written.`);
  }
  write(flowToMermaid(flow));
  // stdout carries only the diagram, so that it can be piped.
  stderr.write(`Wrote ${svgFile}.\n`);
  return issues.length === 0 ? 0 : 1;
}

/** With --person, the scenario of these scripted steps. With --scenario, the scenario with this name. */
function selectScenario(flowFile: FlowFile, { person, scenario }: Options): Scenario {
  if (person !== undefined) return readPersonOption(person);
  const scenarios = openScenarios(flowFile);
  const match = scenarios.find(({ name }) => name === scenario);
  if (match) return match;
  throw new FileError(
    `There is no scenario ${quote(scenario ?? '')}. The scenarios are:\n  ${scenarios.map(({ name }) => name).join('\n  ')}`,
  );
}

async function simulate(invocation: Invocation): Promise<number> {
  const flowFile = invocation.open(invocation.options.files[0] ?? '');
  const scenario = selectScenario(flowFile, invocation.options);
  if (!reportIssues(flowFile, invocation)) return 1;
  const simulation = await invocation.simulate();
  try {
    const timeline = await simulation.run(flowFile.flow, scenario);
    invocation.write(formatTimeline(timeline, invocation.colors));
    return timeline.outcome === undefined ? 1 : 0;
  } finally {
    await simulation.stop();
  }
}

async function test(invocation: Invocation): Promise<number> {
  const flows: { flowFile: FlowFile; scenarios: readonly Scenario[] }[] = [];
  const exitCodes = invocation.options.files.map((file) =>
    runForFile(invocation, () => {
      const flowFile = invocation.open(file);
      if (!reportIssues(flowFile, invocation)) return 1;
      flows.push({ flowFile, scenarios: openScenarios(flowFile) });
      return 0;
    }),
  );
  return highestExitCode([...exitCodes, flows.length === 0 ? 0 : await runAllScenarios(flows, invocation)]);
}

async function runAllScenarios(
  flows: readonly { flowFile: FlowFile; scenarios: readonly Scenario[] }[],
  invocation: Invocation,
): Promise<number> {
  const simulation = await invocation.simulate();
  try {
    let failedCount = 0;
    for (const { flowFile, scenarios } of flows)
      failedCount += await runScenarios(flowFile, scenarios, simulation, invocation);
    const count = flows.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
    invocation.write(`\n${formatCount(count, 'scenario')}, ${failedCount} failed\n`);
    return failedCount === 0 ? 0 : 1;
  } finally {
    await simulation.stop();
  }
}

/** Prints an error that the user can fix, and returns the exit code. Throws every other error. */
function reportError(error: unknown, stderr: OutputStream): number {
  if (error instanceof UsageError) stderr.write(`${error.message}\n\n${usage}`);
  else if (error instanceof FileError || error instanceof FlowError) stderr.write(`${error.message}\n`);
  else throw error;
  return error instanceof FlowError ? 1 : 2;
}

/** Runs an action for one file and returns its exit code. An error that the user can fix does not stop the other files. */
function runForFile({ stderr }: Invocation, action: () => number): number {
  try {
    return action();
  } catch (error) {
    return reportError(error, stderr);
  }
}

const highestExitCode = (exitCodes: readonly number[]) => Math.max(0, ...exitCodes);

/**
 * The flow command. Throws only errors that are bugs. Returns the exit code:
 * - 0: success
 * - 1: a flow has issues, a scenario failed, or a simulated flow run has no outcome
 * - 2: wrong usage, or a file that cannot be used
 */
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
      open: (file) => openFlow(file, createDefaultMessageCheck(options.linkDomains)),
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
