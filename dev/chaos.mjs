import { join } from 'node:path';
import { readNumbers, root, runCommand, stopOnSignal } from './install/command.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

const usage = `Usage: npm run chaos -- [--confirmations 200] [--kills 20] [--exact 40] [--upgrades 0]

Kills the worker under load, and checks that the inbox gets each message once. With --cluster, injects faults of many kinds into the
production topology: see \`npm run chaos -- --cluster --help\`. With --providers, two providers of SMS fail in turn: see
\`npm run chaos -- --providers --help\`.

  --confirmations N   confirmations in the first part, which kills the worker at random times (default: 200)
  --kills N           how many times the first part kills the worker (default: 20)
  --exact N           confirmations in the second part. For each confirmation, this part kills the worker once: after the
                      provider has accepted the message, and before the worker gets the response (default: 40)
  --upgrades N        open transactions. If given, nothing is killed: workers with changed workflow code are deployed, rolled
                      back and ramped under traffic, and all open transactions must continue
`;

if (process.argv.includes('--cluster')) await import('./chaos-cluster.mjs');
else if (process.argv.includes('--providers')) await import('./chaos-providers.mjs');
else
  await runCommand(async () => {
    const numbers = readNumbers(usage, { confirmations: 200, kills: 20, exact: 40, upgrades: 0 }, 0);
    await prepareStack();
    const { interruptChaos, runChaos } = requireTypescript(join(root, 'test', 'faults', 'chaos.ts'));
    const { runUpgrades } = requireTypescript(join(root, 'test', 'faults', 'upgrade-drill.ts'));
    stopOnSignal(interruptChaos);
    const isGood = await (numbers.upgrades > 0
      ? runUpgrades({ open: numbers.upgrades }, process.stdout)
      : runChaos(numbers, process.stdout));
    process.exitCode = isGood ? 0 : 1;
  }, usage);
