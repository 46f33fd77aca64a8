import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProject } from './install/build-project.mjs';
import { installClusterPrograms } from './install/cluster-programs.mjs';
import { CommandError, root, runCommand, stopOnSignal } from './install/command.mjs';
import { installPackages } from './install/install-packages.mjs';
import { runWithOwnMounts } from './install/own-mounts.mjs';
import { requireTypescript } from './install/require-typescript.mjs';

const usage = `Usage: npm run chaos -- --cluster [--persons 200] [--faults 30] [--seed N] [--only KIND] [--keep]

Runs the production topology on this machine: Postgres, a Temporal server of seven processes, two API processes behind a balancer, and
three workers. Injects faults under traffic, and verifies from outside that nothing was lost or doubled. Needs Linux, root and Go.

  --persons N   persons who confirm themselves or complete a flow, spread over the faults (default: 200)
  --faults N    how many faults are injected (default: 30). Each kind appears once before one is repeated
  --seed N      repeats the faults of an earlier run: their kinds, order and targets
  --only KIND   only faults of this kind, such as --only "worker kill". A wrong name prints all kinds
  --keep        keeps the cluster running after the report, until Ctrl-C
  --data DIR    folder for data and logs (default: a new one in .cache/chaos)

Ctrl-C ends the run early, with the report.
`;

function readOptions() {
  const options = {
    cluster: { type: 'boolean' },
    persons: { type: 'string', default: '200' },
    faults: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    only: { type: 'string' },
    keep: { type: 'boolean', default: false },
    data: { type: 'string' },
  };
  try {
    const { values } = parseArgs({ options });
    const { only, keep, data } = values;
    const [persons, faults, seed] = [values.persons, values.faults, values.seed].map(Number);
    if ([persons, faults, seed].every((value) => Number.isInteger(value) && value >= 0))
      return { persons, faults, seed, only, keep, data };
  } catch {
    // As for an invalid number: the usage says what is right.
  }
  throw new CommandError(usage);
}

function makeDataFolder(data) {
  const parent = join(root, '.cache', 'chaos');
  mkdirSync(data ? resolve(data) : parent, { recursive: true });
  return data ? resolve(data) : mkdtempSync(join(parent, 'cluster-'));
}

await runCommand(async () => {
  const { data, ...plan } = readOptions();
  if (await runWithOwnMounts()) return;
  const [programs] = await Promise.all([installClusterPrograms(), installPackages().then(buildProject)]);
  const { endEarly, interruptCluster, kindNames, runCluster } = requireTypescript(
    join(root, 'test', 'faults', 'cluster', 'run-cluster.ts'),
  );
  if (plan.only !== undefined && !kindNames.includes(plan.only))
    throw new CommandError(`There is no fault "${String(plan.only)}". Use one of: ${kindNames.join(', ')}`);
  process.once('SIGINT', () => {
    process.stdout.write('\nEnding early, with a report. Ctrl-C again stops at once.\n');
    endEarly();
    stopOnSignal(interruptCluster);
  });
  for (const name of ['SIGTERM', 'SIGHUP'])
    process.once(name, () => void interruptCluster().finally(() => process.exit(1)));
  const isGood = await runCluster({ ...plan, root, dataDir: makeDataFolder(data) }, programs, process.stdout);
  process.exit(isGood ? 0 : 1);
}, usage);
