import { parseArgs } from 'node:util';

const commands = ['check', 'draw', 'simulate', 'test'] as const;

export type Command = (typeof commands)[number];

/** What a run of the command is asked for. */
export interface Options {
  command: Command;
  files: readonly string[];
  plain: boolean;
  /** draw: where the SVG goes. */
  out?: string;
  /** simulate: the scripted steps of a person. */
  person?: string;
  /** simulate: a scenario beside the flow, by its name. */
  scenario?: string;
}

export const usage = `Use: npm run flow -- check FILE...       finds issues; says how long and how many messages a run takes at most
     npm run flow -- draw FILE           prints a Mermaid diagram and writes an SVG beside the file
     npm run flow -- simulate FILE       runs the flow against a person (--person or --scenario); prints what happens
     npm run flow -- test FILE...        runs the scenarios beside each flow and compares

FILE is a .flow.ts or a .json, which has no version and may leave out its name. Scenarios of NAME.flow.ts or NAME.json
are in NAME.scenarios.yaml beside it. docs/flow-reference.md has all fields of a flow and all scripted steps.

  --out FILE.svg       draw: another place for the SVG
  --person 'LINES'     simulate: such as 'ignores sms; after 2m presses 2 on whatsapp'
  --scenario NAME      simulate: one of the scenarios beside the flow
  --plain              no colors; they are also off without a terminal and with NO_COLOR

Exit codes: 0 good, 1 issues or failed scenarios, 2 wrong usage or a file that cannot be used.
`;

export const asksForHelp = (args: readonly string[]): boolean =>
  args[0] === 'help' || args.includes('--help') || args.includes('-h');

/** Wrong usage, told with the usage text. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const takes: Readonly<Record<Command, readonly string[]>> = {
  check: [],
  draw: ['out'],
  simulate: ['person', 'scenario'],
  test: [],
};

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { out: text, person: text, scenario: text, plain: { type: 'boolean', default: false } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Reads a command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [first, ...files] = positionals;
  const command = commands.find((one) => one === first);
  if (!command) throw new UsageError(first === undefined ? 'A command is missing.' : `There is no command ${first}.`);
  if (files.length === 0) throw new UsageError(`${command} needs a FILE.`);
  const { plain, ...others } = values;
  const foreign = Object.keys(others).find((option) => !takes[command].includes(option));
  if (foreign) throw new UsageError(`${command} takes no --${foreign}.`);
  const { out, person, scenario } = others;
  if (out !== undefined && !out.endsWith('.svg')) throw new UsageError('draw writes an SVG: --out ends in .svg.');
  if (files.length > 1 && (command === 'draw' || command === 'simulate'))
    throw new UsageError(`${command} takes one FILE.`);
  if (command === 'simulate' && (person === undefined) === (scenario === undefined))
    throw new UsageError('simulate needs either --person or --scenario.');
  return {
    command,
    files,
    plain,
    ...(out === undefined ? {} : { out }),
    ...(person === undefined ? {} : { person }),
    ...(scenario === undefined ? {} : { scenario }),
  };
}
