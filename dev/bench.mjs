import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, root, runCommand, stopOnSignal } from './install/command.mjs';
import { installPackages } from './install/install-packages.mjs';
import { installClusterPrograms, installCpulimit } from './install/cluster-programs.mjs';
import { installPeers } from './install/install-peers.mjs';
import { runWithOwnMounts } from './install/own-mounts.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

/** The options of each bench, with their defaults. Each option is a positive number. */
const benches = {
  links: { small: 10_000, large: 1_000_000, rounds: 5 },
  worker: { transactions: 6_000 },
  flows: { confirmations: 300 },
  starvation: { transactions: 100, sends: 300 },
  uploads: { uploads: 20, megabytes: 5, rounds: 5 },
  reads: { rounds: 20, transactions: 40 },
  codec: { rounds: 12, confirmations: 40 },
  connections: { connections: 2_000, seconds: 20 },
  neighbours: { rounds: 4, times: 25 },
  pumping: { requests: 100_000, phones: 500 },
  records: { transactions: 1_000_000, rounds: 10, retentionSeconds: 60 },
  tenants: { rounds: 5, seconds: 10, starts: 5 },
  waits: { callers: 1_000, seconds: 20 },
  telemetry: { pairs: 4, rounds: 6, transactions: 40 },
  peers: { operations: 200, rounds: 3, kills: 10 },
  scale: { small: 1_000, medium: 10_000, large: 50_000, rounds: 5, calls: 60, idleSeconds: 30, expiries: 50_000 },
  topology: { rounds: 4, seconds: 30, workerShare: 12, apiShare: 8 },
  versions: { rounds: 12, transactions: 40 },
};
/** Benches that need more than the others: another checkout, or root. */
const onlyByName = ['topology', 'versions'];
/** Benches that start no stack from the build. */
const withoutStack = ['links', 'pumping', 'records'];

const usageOf = ([name, options]) => {
  const optionTexts = Object.entries(options).map(([option, value]) => ` [--${option} ${value}]`);
  return `\n     npm run bench -- ${name}${name === 'versions' ? ' --against FOLDER' : ''}${optionTexts.join('')}`;
};
const usage = `Usage: npm run bench
         runs all benchmarks except "topology" and "versions"${Object.entries(benches).map(usageOf).join('')}
bench/README.md says what each of them measures. FOLDER has the built checkout of another version.`;

/**
 * Reads the command line. Returns `names` (the benches to run), `numbers` (the values of their options) and `against` (the folder of the
 * other version, only for the bench `versions`). Throws CommandError with the usage if the command line is wrong.
 */
function readArguments() {
  const [, , name, ...args] = process.argv;
  if (name === undefined)
    return { names: Object.keys(benches).filter((one) => !onlyByName.includes(one)), numbers: {} };
  const fail = (issue) => new CommandError(`${issue}\n\n${usage}`);
  if (!Object.hasOwn(benches, name)) throw fail(`There is no benchmark "${name}".`);
  const optionNames = [...Object.keys(benches[name]), ...(name === 'versions' ? ['against'] : [])];
  const options = Object.fromEntries(optionNames.map((option) => [option, { type: 'string' }]));
  const { against, ...texts } = parseOptions(args, options, fail);
  const numbers = Object.entries(texts).map(([option, text]) => [option, Number(text)]);
  const wrong = numbers.find(([, value]) => !Number.isInteger(value) || value <= 0);
  if (wrong) throw fail(`--${wrong[0]} must be a positive whole number.`);
  if (name === 'versions' && !existsSync(join(against ?? '', 'dist', 'dev')))
    throw fail('--against must be a folder with a checkout of another version, after `npm run build`.');
  return { names: [name], numbers: Object.fromEntries(numbers), against };
}

function parseOptions(args, options, fail) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw fail(error.message);
  }
}

await runCommand(async () => {
  const { names, numbers, against } = readArguments();
  const isTopology = names.includes('topology');
  if (isTopology && (await runWithOwnMounts())) return;
  await (names.every((name) => withoutStack.includes(name)) ? installPackages() : prepareStack());
  if (names.includes('peers')) await installPeers();
  const machine = isTopology
    ? { root, programs: await installClusterPrograms(), cpulimit: await installCpulimit() }
    : undefined;
  const { interruptBench, runBench } = requireTypescript(join(root, 'bench', 'main.ts'));
  stopOnSignal(interruptBench);
  for (const name of names)
    if (!(await runBench(name, numbers, process.stdout, { machine, otherCheckout: against && resolve(against) })))
      process.exitCode = 1;
}, usage);
