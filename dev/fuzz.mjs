import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from './install/command-error.mjs';
import { installSchemathesis } from './install/install-schemathesis.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

const usage = `Usage: npm run fuzz -- [--requests 200000] [--seed N]

Starts a stack, sends random requests that are made from its OpenAPI document, and checks that each response fits the document.

  --requests N   minimum number of requests (default: 200000)
  --seed N       uses the same random values as an earlier run with this number
`;

/** Reads the options. Throws CommandError with the usage if an option is wrong. */
function readPlan() {
  try {
    const { values } = parseArgs({
      options: {
        requests: { type: 'string', default: '200000' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      },
    });
    const plan = { requests: Number(values.requests), seed: Number(values.seed) };
    if (Object.values(plan).every((number) => Number.isInteger(number) && number > 0)) return plan;
  } catch {
    // `parseArgs` throws for an unknown option. The command then prints the usage, as for an invalid number.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const plan = readPlan();
  const [program] = await Promise.all([installSchemathesis(), prepareStack()]);
  const { interruptFuzz, runFuzz } = requireTypescript(join(root, 'test', 'fuzz', 'run-fuzz.ts'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(name, () => void interruptFuzz().finally(() => process.exit(1)));
  process.exitCode = (await runFuzz({ ...plan, program }, process.stdout)) ? 0 : 1;
}, usage);
