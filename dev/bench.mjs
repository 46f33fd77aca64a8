import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installPackages } from './install/install-packages.mjs';
import { CommandError, runCommand } from './install/command-error.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';

const options = {
  links: ['small', 'large', 'rounds'],
  worker: ['transactions'],
  flows: ['confirmations'],
  starvation: ['transactions', 'sends'],
  uploads: ['uploads', 'megabytes', 'rounds'],
};
/** They start a whole stack from the build. */
const onStack = ['worker', 'flows', 'starvation', 'uploads'];

const usage = `Use: npm run bench      (all of them)
     npm run bench -- links [--small 10000] [--large 1000000] [--rounds 5]
     npm run bench -- worker [--transactions 6000]
     npm run bench -- flows [--confirmations 300]
     npm run bench -- starvation [--transactions 100] [--sends 300]
     npm run bench -- uploads [--uploads 20] [--megabytes 5] [--rounds 5]`;

function readPlan() {
  try {
    const all = Object.fromEntries(
      Object.values(options)
        .flat()
        .map((name) => [name, { type: 'string' }]),
    );
    const { values, positionals } = parseArgs({ options: all, allowPositionals: true });
    const [name, ...more] = positionals;
    const plan = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, Number(value)]));
    const known = Object.keys(plan).every((option) => options[name]?.includes(option));
    const counts = Object.values(plan).every((count) => Number.isInteger(count) && count > 0);
    if (positionals.length === 0 && Object.keys(plan).length === 0) return { names: Object.keys(options), plan };
    if (Object.hasOwn(options, name ?? '') && more.length === 0 && known && counts) return { names: [name], plan };
  } catch {
    // An option that does not exist is answered like one that is no number.
  }
  throw new CommandError(usage);
}

await runCommand(async () => {
  const { names, plan } = readPlan();
  await (names.some((name) => onStack.includes(name)) ? prepareStack() : installPackages());
  const { interruptBench, runBench } = requireTypescript(join(root, 'bench', 'main.ts'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void interruptBench().finally(() => process.exit(1)));
  }
  for (const name of names) if (!(await runBench(name, plan, process.stdout))) process.exitCode = 1;
});
