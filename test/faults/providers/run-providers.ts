import { ChaosWorld, endChaosWorlds } from '../chaos-world';
import { formatResults, inSeconds, quantile, type ResultLine } from '../kill-result-table';
import { showProgress } from '../progress';
import { type FailoverResult, runFailover } from './run-failover';
import { type ProviderName, providerFaults, providerNames, TwoProviders } from './two-providers';

export interface ProvidersPlan {
  /** Half of them with each of the providers as the first one. */
  messages: number;
  kills: number;
  seed: number;
  /** False: the service sends a message with an unknown outcome again, without a search. */
  reconcile: boolean;
}

/**
 * A code expires after 5 minutes, and the pauses between attempts grow to 30 s. So each code can arrive in time, even if several such faults
 * hit it one after the other.
 */
const longestFaultMs = 5_000;
/** A code is accepted until 300 s after the request. */
const patience = { pollEveryMs: 200, messageWithinMs: 290_000 };

const lines: ResultLine<FailoverResult>[] = [
  ['run', ({ name }) => name],
  ['messages', ({ messages }) => messages],
  ['lost', ({ lost }) => lost],
  ['doubled', ({ doubled }) => doubled],
  ['delivered by the second provider', ({ bySecond, messages }) => `${((100 * bySecond) / messages).toFixed(1)} %`],
  ['found by a search', ({ found }) => found],
  ['seconds until arrival, p50', ({ delaysMs }) => inSeconds(quantile(delaysMs, 0.5))],
  ['seconds until arrival, p99', ({ delaysMs }) => inSeconds(quantile(delaysMs, 0.99))],
  ['seconds until arrival, max', ({ delaysMs }) => inSeconds(delaysMs.at(-1))],
  ['repeated requests', ({ repeatedRequests }) => repeatedRequests],
  ['kills of the worker', ({ kills }) => kills],
  ...providerFaults.map(
    (fault): ResultLine<FailoverResult> => [
      `${fault}: first, second provider`,
      ({ faults }) => `${faults.get(`first ${fault}`) ?? 0}, ${faults.get(`second ${fault}`) ?? 0}`,
    ],
  ),
];

let interrupted = false;

/**
 * Sends codes while two providers fail in turn, once with each of them as the first one. Returns whether nothing was lost or doubled, or,
 * without a search at the provider, whether messages were doubled: this proves that the command detects doubled messages.
 */
export async function runProviders(plan: ProvidersPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const print = (line: string) => void output.write(`${line}\n`);
  print(`Seed ${plan.seed}`);
  const results: FailoverResult[] = [];
  for (const [index, first] of providerNames.entries())
    results.push(await runWithFirst(first, { ...plan, ...halfOf(plan, index) }, output));
  print(`\n${formatResults(lines, results)}\n`);
  const lost = results.some((result) => result.lost > 0);
  const doubled = results.some((result) => result.doubled > 0);
  if (plan.reconcile || lost)
    for (const { name, findings } of results) for (const finding of findings) print(`${name}: ${finding}`);
  if (plan.reconcile)
    print(lost || doubled ? 'FAILED: see the lines above.' : 'Nothing was lost, nothing was doubled.');
  else if (lost) print('FAILED: see the lines above.');
  else if (doubled) print('Messages were doubled, as expected without reconciliation. Nothing was lost.');
  else print('FAILED: nothing was doubled without reconciliation, so this test cannot detect duplicates.');
  return !lost && doubled !== plan.reconcile;
}

export function interruptProviders(): Promise<void> {
  interrupted = true;
  return endChaosWorlds();
}

/** The part of the plan for the first or second run. */
const halfOf = ({ messages, kills, seed }: ProvidersPlan, index: number) => ({
  messages: Math.floor((messages + index) / 2),
  kills: Math.floor((kills + index) / 2),
  seed: seed + index,
});

async function runWithFirst(first: ProviderName, plan: ProvidersPlan, output: NodeJS.WriteStream) {
  output.write('Starting a stack …\n');
  const providers = await TwoProviders.open(first);
  const world = await ChaosWorld.start(
    { MESSAGING: providers.messaging, RECONCILE_SENDS: String(plan.reconcile) },
    patience,
  );
  let passed = false;
  try {
    providers.connectTo(world);
    const result = await runFailover(
      world,
      providers,
      { ...plan, longestFaultMs },
      showProgress(output, ['messages', 'kills']),
    );
    passed = result.lost === 0 && (result.doubled === 0 || !plan.reconcile);
    return result;
  } finally {
    const keepFolder = !passed && !interrupted;
    await world.end({ keepFolder });
    await providers.close();
    if (keepFolder) output.write(`The logs of this stack are kept in ${world.folder}\n`);
  }
}
