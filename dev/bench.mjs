import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runCommand, stopOnSignal } from './install/command.mjs';
import { installPackages } from './install/install-packages.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

/** The benches: what each of them measures, and its options with their defaults. */
const benches = {
  links: {
    about: 'time of an assessment on a small and on a large link graph (--small, --large: number of transactions)',
    options: { small: 10_000, large: 1_000_000, rounds: 5 },
  },
  worker: { about: 'memory of a worker while it runs many transactions', options: { transactions: 6_000 } },
  flows: {
    about: 'time of a code by SMS in a flow, and with the endpoints under …/sms/tokens',
    options: { confirmations: 300 },
  },
  starvation: {
    about: 'time to send a message while a face verifier does not answer',
    options: { transactions: 100, sends: 300 },
  },
  uploads: {
    about: 'memory of the API and time of reads, during uploads of images',
    options: { uploads: 20, megabytes: 5, rounds: 5 },
  },
  reads: {
    about: 'time of a read from the workflow, and from the record in Postgres',
    options: { rounds: 20, transactions: 40 },
  },
  codec: {
    about: 'confirmations per second with encrypted payloads, and with clear text',
    options: { rounds: 12, confirmations: 40 },
  },
  connections: {
    about: 'time of reads while hostile connections are open',
    options: { connections: 2_000, seconds: 20 },
  },
  neighbours: {
    about: 'time of requests of a tenant while another tenant holds slow uploads, event streams and idle connections',
    options: { rounds: 4, times: 25 },
  },
  pumping: {
    about: `how many messages an attacker can make the service send, and how many persons still get their code (--phones: number
         of persons whom the attacker tries to lock out)`,
    options: { requests: 100_000, phones: 500 },
  },
  lists: {
    about: 'time of an early and of a late page of a list of transactions',
    options: { transactions: 1_000_000, rounds: 10 },
  },
  tenants: {
    about: 'time of requests while another tenant checks and starts flows that are as expensive as the limits allow',
    options: { rounds: 5, seconds: 10, starts: 5 },
  },
  waits: {
    about: 'CPU time and memory of the API while many callers wait for events. Needs Linux',
    options: { callers: 1_000, seconds: 20 },
  },
  versions: {
    about:
      'time of requests with this checkout, and with another version. FOLDER has the built checkout of the other version',
    options: { rounds: 12, transactions: 40 },
  },
};
/** Benches that start no stack from the build. */
const withoutStack = ['links', 'pumping', 'lists'];

const usageOf = ([name, { about, options }]) => {
  const optionTexts = Object.entries(options).map(([option, value]) => ` [--${option} ${value}]`);
  return `\n     npm run bench -- ${name}${name === 'versions' ? ' --against FOLDER' : ''}${optionTexts.join('')}\n         ${about}`;
};
const usage = `Usage: npm run bench
         runs all benchmarks except "versions"${Object.entries(benches).map(usageOf).join('')}`;

/**
 * Reads the command line. Returns `names` (the benches to run), `numbers` (the values of their options) and `against` (the folder of the
 * other version, only for the bench `versions`). Throws CommandError with the usage if the command line is wrong.
 */
function readArguments() {
  const [, , name, ...optionArguments] = process.argv;
  if (name === undefined) return { names: Object.keys(benches).filter((one) => one !== 'versions'), numbers: {} };
  try {
    const numberOptions = Object.keys(benches[name].options).map((option) => [option, { type: 'string' }]);
    const options = {
      ...Object.fromEntries(numberOptions),
      ...(name === 'versions' && { against: { type: 'string' } }),
    };
    const { against, ...texts } = parseArgs({ args: optionArguments, options }).values;
    const numbers = Object.entries(texts).map(([option, text]) => [option, Number(text)]);
    const isValid =
      numbers.every(([, value]) => Number.isInteger(value) && value > 0) && Boolean(against) === (name === 'versions');
    if (isValid) return { names: [name], numbers: Object.fromEntries(numbers), against };
  } catch {
    // An unknown bench or option. The command then prints the usage, as for an invalid number.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const { names, numbers, against } = readArguments();
  await (names.every((name) => withoutStack.includes(name)) ? installPackages() : prepareStack());
  const { interruptBench, runBench } = requireTypescript(join(root, 'bench', 'main.ts'));
  stopOnSignal(interruptBench);
  for (const name of names)
    if (!(await runBench(name, numbers, process.stdout, against && resolve(against)))) process.exitCode = 1;
}, usage);
