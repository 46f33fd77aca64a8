import { parseArgs } from 'node:util';
import { linkDomain } from '../../messages/sending-limits';

const commands = ['check', 'draw', 'simulate', 'test'] as const;

export type Command = (typeof commands)[number];

export interface Options {
  command: Command;
  files: readonly string[];
  plain: boolean;
  /** Domains that texts may link to. */
  linkDomains: readonly string[];
  /** draw: the path of the SVG. */
  out?: string;
  /** simulate: the scripted steps of a person. */
  person?: string;
  /** simulate: the name of a scenario. */
  scenario?: string;
}

export const usage = `Usage: npm run flow -- check FILE...      checks each flow, and prints how long a flow run can take and how many messages it can send
       npm run flow -- draw FILE          prints a Mermaid diagram, and writes an SVG file next to FILE
       npm run flow -- simulate FILE      runs the flow with a simulated person (--person or --scenario)
       npm run flow -- test FILE...       runs the scenarios of each flow, and compares the results with the expected ones

FILE is a .ts or a .json file. A .json file has no field "version". Its field "name" is optional (default: the name
of the file). The scenarios of NAME.flow.ts or NAME.json are in NAME.scenarios.yaml, in the same folder.
docs/flow-reference.md lists all fields, and all scripted steps (actions of the simulated person).

  --link-domains LIST  domains that texts may link to, such as acme.com,help.acme.com (default: none). Use the domains that
                       your operator allows (linkDomains in SENDING_LIMITS)
  --out FILE.svg       draw: write the SVG to this file
  --person 'STEPS'     simulate: the scripted steps, such as 'ignores sms; after 2m presses 2 on whatsapp'
  --scenario NAME      simulate: the name of a scenario of the flow
  --plain              prints no colors. This is the default if NO_COLOR is set, or if the output is not a terminal

Exit codes:
  0  success
  1  a flow has issues, a scenario failed, a simulated flow run has no outcome, or there is a bug in Countersign
     (the command then prints a stack trace)
  2  wrong usage, or a file that cannot be used
`;

export const isHelpRequest = (args: readonly string[]): boolean =>
  args[0] === 'help' || args.includes('--help') || args.includes('-h');

/** Wrong usage. It is printed with the usage text. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The options of each command, without --plain, which all commands have. */
const allowedOptions: Readonly<Record<Command, readonly string[]>> = {
  check: ['link-domains'],
  draw: ['link-domains', 'out'],
  simulate: ['link-domains', 'person', 'scenario'],
  test: ['link-domains'],
};

function parse(args: readonly string[]) {
  const textOption = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'link-domains': textOption,
        out: textOption,
        person: textOption,
        scenario: textOption,
        plain: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readDomains(list: string): string[] {
  const domains = list.split(',').map((one) => one.trim().toLowerCase());
  const wrong = domains.find((one) => !linkDomain.safeParse(one).success);
  if (wrong !== undefined) throw new UsageError(`--link-domains: "${wrong}" must be a domain such as example.com.`);
  return domains;
}

/** Reads a command line. Throws UsageError. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args);
  const [commandName, ...files] = positionals;
  const command = commands.find((one) => one === commandName);
  if (!command)
    throw new UsageError(commandName === undefined ? 'A command is missing.' : `Unknown command ${commandName}.`);
  if (files.length === 0) throw new UsageError(`${command} needs a FILE.`);
  const { plain, ...stringOptions } = values;
  const unknownOption = Object.keys(stringOptions).find((option) => !allowedOptions[command].includes(option));
  if (unknownOption) throw new UsageError(`${command} has no option --${unknownOption}.`);
  const { out, person, scenario, 'link-domains': linkDomains } = stringOptions;
  if (out !== undefined && !out.endsWith('.svg')) throw new UsageError('--out must end in .svg.');
  if (files.length > 1 && (command === 'draw' || command === 'simulate'))
    throw new UsageError(`${command} takes one FILE.`);
  if (command === 'simulate' && (person === undefined) === (scenario === undefined))
    throw new UsageError('simulate needs either --person or --scenario.');
  return {
    command,
    files,
    plain,
    linkDomains: linkDomains === undefined ? [] : readDomains(linkDomains),
    ...(out === undefined ? {} : { out }),
    ...(person === undefined ? {} : { person }),
    ...(scenario === undefined ? {} : { scenario }),
  };
}
