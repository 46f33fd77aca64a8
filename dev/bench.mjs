import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from './install/install-packages.mjs';
import { CommandError, runCommand } from './install/command-error.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

/** The options of each bench. Each option is a positive number. */
const options = {
  links: ['small', 'large', 'rounds'],
  worker: ['transactions'],
  flows: ['confirmations'],
  starvation: ['transactions', 'sends'],
  uploads: ['uploads', 'megabytes', 'rounds'],
  reads: ['rounds', 'transactions'],
  codec: ['rounds', 'confirmations'],
  connections: ['connections', 'seconds'],
  neighbours: ['rounds', 'times'],
  pumping: ['requests', 'phones'],
  lists: ['transactions', 'rounds'],
  tenants: ['rounds', 'seconds', 'starts'],
  waits: ['callers', 'seconds'],
  versions: ['rounds', 'transactions'],
};
/** Benches that start a whole stack from the build. */
const stackBenches = [
  'worker',
  'flows',
  'starvation',
  'uploads',
  'reads',
  'codec',
  'connections',
  'neighbours',
  'tenants',
  'waits',
  'versions',
];

const usage = `Usage: npm run bench
         runs all benchmarks except "versions"
     npm run bench -- links [--small 10000] [--large 1000000] [--rounds 5]
         time of an assessment on a small and on a large link graph (--small, --large: number of transactions)
     npm run bench -- worker [--transactions 6000]
         memory of a worker while it runs many transactions
     npm run bench -- flows [--confirmations 300]
         time of a code by SMS in a flow, and with the endpoints under …/sms/tokens
     npm run bench -- starvation [--transactions 100] [--sends 300]
         time to send a message while a face verifier does not answer
     npm run bench -- uploads [--uploads 20] [--megabytes 5] [--rounds 5]
         memory of the API and time of reads, during uploads of images
     npm run bench -- reads [--rounds 20] [--transactions 40]
         time of a read from the workflow, and from the record in Postgres
     npm run bench -- codec [--rounds 12] [--confirmations 40]
         confirmations per second with encrypted payloads, and with clear text
     npm run bench -- connections [--connections 2000] [--seconds 20]
         time of reads while hostile connections are open
     npm run bench -- neighbours [--rounds 4] [--times 25]
         time of requests of a tenant while another tenant holds slow uploads, event streams and idle connections
     npm run bench -- pumping [--requests 100000] [--phones 500]
         how many messages an attacker can make the service send, and how many persons still get their code (--phones: number
         of persons whom the attacker tries to lock out)
     npm run bench -- lists [--transactions 1000000] [--rounds 10]
         time of an early and of a late page of a list of transactions
     npm run bench -- tenants [--rounds 5] [--seconds 10] [--starts 5]
         time of requests while another tenant checks and starts flows that are as expensive as the limits allow
     npm run bench -- waits [--callers 1000] [--seconds 20]
         CPU time and memory of the API while many callers wait for events. Needs Linux
     npm run bench -- versions --against FOLDER [--rounds 12] [--transactions 40]
         time of requests with this checkout, and with another version. FOLDER has the built checkout of the other version`;

/**
 * Reads the command line. Returns `names` (the benches to run), `numbers` (the values of their options) and `against` (the folder of the
 * other version, only for the bench `versions`). Throws CommandError with the usage if the command line is wrong.
 */
function readArguments() {
  try {
    const optionTypes = Object.fromEntries(
      Object.values(options)
        .flat()
        .map((name) => [name, { type: 'string' }]),
    );
    const { values, positionals } = parseArgs({
      options: { ...optionTypes, against: { type: 'string' } },
      allowPositionals: true,
    });
    const { against, ...texts } = values;
    const [name, ...extra] = positionals;
    const numbers = Object.fromEntries(Object.entries(texts).map(([option, value]) => [option, Number(value)]));
    const hasKnownOptions = Object.keys(numbers).every((option) => options[name]?.includes(option));
    const hasValidNumbers = Object.values(numbers).every((count) => Number.isInteger(count) && count > 0);
    if (positionals.length === 0 && Object.keys(numbers).length === 0)
      return { names: Object.keys(options).filter((one) => one !== 'versions'), numbers };
    const isAgainstValid = (name === 'versions') === (against !== undefined);
    if (
      Object.hasOwn(options, name ?? '') &&
      extra.length === 0 &&
      hasKnownOptions &&
      hasValidNumbers &&
      isAgainstValid
    )
      return { names: [name], numbers, against };
  } catch {
    // `parseArgs` throws for an unknown option. The command then prints the usage, as for an invalid number.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const { names, numbers, against } = readArguments();
  await (names.some((name) => stackBenches.includes(name)) ? prepareStack() : installPackages());
  const { interruptBench, runBench } = requireTypescript(join(root, 'bench', 'main.ts'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void interruptBench().finally(() => process.exit(1)));
  }
  for (const name of names)
    if (!(await runBench(name, numbers, process.stdout, against && resolve(against)))) process.exitCode = 1;
}, usage);
