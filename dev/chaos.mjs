import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError, runCommand } from './install/command-error.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

const usage = `Usage: npm run chaos -- [--confirmations 200] [--kills 20] [--exact 40]

Kills the worker under load, and checks that the inbox gets each message once.

  --confirmations N   confirmations in the first part, which kills the worker at random times (default: 200)
  --kills N           how many times the first part kills the worker (default: 20)
  --exact N           confirmations in the second part. For each confirmation, this part kills the worker once: after the
                      provider has accepted the message, and before the worker gets the response (default: 40)
`;

/** Reads the numbers of the options. Throws CommandError with the usage if an option is wrong. */
function readNumbers() {
  const textOption = (fallback) => ({ type: 'string', default: String(fallback) });
  try {
    const { values } = parseArgs({
      options: { confirmations: textOption(200), kills: textOption(20), exact: textOption(40) },
    });
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
    if (Object.values(numbers).every((count) => Number.isInteger(count) && count >= 0)) return numbers;
  } catch {
    // `parseArgs` throws for an unknown option. The command then prints the usage, as for an invalid number.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const numbers = readNumbers();
  await prepareStack();
  const { interruptChaos, runChaos } = requireTypescript(join(root, 'test', 'faults', 'chaos.ts'));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A second signal ends this process at once. The stack then stops by itself.
    process.once(name, () => void interruptChaos().finally(() => process.exit(1)));
  }
  process.exitCode = (await runChaos(numbers, process.stdout)) ? 0 : 1;
}, usage);
