import { join } from 'node:path';
import { readNumbers, root, runCommand, stopOnSignal } from './install/command.mjs';
import { installSchemathesis } from './install/install-python.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

const usage = `Usage: npm run fuzz -- [--requests 200000] [--seed N]

Starts a stack, sends random requests that are made from its OpenAPI document, and checks that each response fits the document.

  --requests N   minimum number of requests (default: 200000)
  --seed N       uses the same random values as an earlier run with this number
`;

await runCommand(async () => {
  const plan = readNumbers(usage, { requests: 200_000, seed: Math.ceil(Math.random() * 2 ** 31) });
  const [program] = await Promise.all([installSchemathesis(), prepareStack()]);
  const { interruptFuzz, runFuzz } = requireTypescript(join(root, 'test', 'fuzz', 'run-fuzz.ts'));
  stopOnSignal(interruptFuzz);
  process.exitCode = (await runFuzz({ ...plan, program }, process.stdout)) ? 0 : 1;
}, usage);
