import { ChaosWorld, endChaosWorlds } from './chaos-world';
import { runExactKills } from './exact-kills';
import type { KillResult } from './kill-result';
import { formatKillResults } from './kill-result-table';
import { showProgress } from './progress';
import { confirmationRotation, runRandomKills } from './random-kills';

export interface ChaosPlan {
  /** Confirmations that run during the kills at random moments. */
  confirmations: number;
  /** Kills of the worker at random moments. */
  kills: number;
  /** Kills at an exact moment: the provider has accepted a message, and the worker has not saved this yet. */
  exact: number;
}

/** Within this time after the last kill, every record must be current. */
const recordsCurrentMaxMs = 5_000;

let interrupted = false;

function isClean(result: KillResult): boolean {
  const {
    lostConfirmations,
    lostMessages,
    doubledMessages,
    brokenHistories,
    staleRecords,
    recordsCurrentMs = 0,
  } = result;
  return (
    [lostConfirmations, lostMessages, doubledMessages, brokenHistories, staleRecords].every((count) => count === 0) &&
    recordsCurrentMs <= recordsCurrentMaxMs
  );
}

/**
 * Runs all kills on two stacks, and returns whether both have the expected results. The first stack reconciles, and must lose and double
 * nothing. The second stack does not, and must double messages: this proves that the test detects doubled messages.
 */
export async function runChaos(plan: ChaosPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const reconciledResults = await withWorld({}, output, async (world) => [
    await runRandomKills(world, plan, showProgress(output)),
    await runExactKills(
      world,
      {
        name: 'killed at acceptance',
        kills: plan.exact,
        statusCallbacks: 'mixed',
        answerTime: 'mixed',
        confirmations: confirmationRotation,
      },
      showProgress(output),
    ),
  ]);
  // A quarter of the kills is enough: without reconciliation, each kill should double a message.
  const kills = Math.ceil(plan.exact / 4);
  const unreconciledResults = await withWorld({ RECONCILE_SENDS: 'false' }, output, async (world) => [
    await runExactKills(
      world,
      {
        name: 'no reconciliation',
        kills,
        statusCallbacks: 'none',
        answerTime: 'when idle',
        confirmations: ['sms-token'],
      },
      showProgress(output),
    ),
  ]);
  output.write(`\n${formatKillResults([...reconciledResults, ...unreconciledResults])}\n\n`);
  for (const { name, findings } of reconciledResults)
    for (const finding of findings) output.write(`${name}: ${finding}\n`);
  const nothingLost = reconciledResults.every(isClean);
  const detectsDuplicates = unreconciledResults.every(({ doubledMessages }) => doubledMessages > 0) || kills === 0;
  output.write(
    nothingLost
      ? 'Nothing was lost, nothing was doubled, every record is current.\n'
      : 'FAILED: see the lines above.\n',
  );
  if (!detectsDuplicates)
    output.write('FAILED: nothing was doubled without reconciliation, so this test cannot detect duplicates.\n');
  return nothingLost && detectsDuplicates;
}

export function interruptChaos(): Promise<void> {
  interrupted = true;
  return endChaosWorlds();
}

/**
 * The folder with the logs stays only after an error or bad results. It does not stay after an interrupt, or without reconciliation, where
 * bad results are expected.
 */
async function withWorld(
  env: NodeJS.ProcessEnv,
  output: NodeJS.WriteStream,
  work: (world: ChaosWorld) => Promise<KillResult[]>,
): Promise<KillResult[]> {
  output.write('Starting a stack …\n');
  const world = await ChaosWorld.start(env);
  let passed = false;
  try {
    const results = await work(world);
    passed = results.every(isClean);
    return results;
  } finally {
    const keepFolder = !passed && !interrupted && env['RECONCILE_SENDS'] === undefined;
    await world.end({ keepFolder });
    if (keepFolder) output.write(`The logs of this stack are kept in ${world.folder}\n`);
  }
}
