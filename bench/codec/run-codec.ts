import { runInTurns } from '../report/run-in-turns';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BenchCaller, type CallMeasurement, measureCalls } from '../worker/bench-caller';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';

/** The options of the bench `codec`. */
export interface CodecPlan {
  /** How often both stacks are measured. */
  rounds: number;
  /** How many persons confirm on each of the two stacks in each round. */
  confirmations: number;
}

/** Parallel callers: enough to keep two cores busy, few enough for short queues. */
const concurrency = 8;

/** The lowest accepted ratio: confirmations per second with encryption, divided by those without encryption. */
const rateLimit = 0.92;

/** Confirms persons by SMS. For each person, creates a transaction, requests a code, and checks the code. */
const confirmPersons = (caller: BenchCaller, count: number): Promise<CallMeasurement> =>
  measureCalls([...new Array(count).keys()], concurrency, async () => {
    const transaction = await caller.createTransaction();
    await caller.requestSmsToken(transaction);
    await caller.validateCode(transaction, await caller.readCode(transaction));
  });

/** Measures what the encryption of payloads costs, on two stacks in turns. Returns whether the ratio is within the limit. */
export async function runCodec({ rounds, confirmations }: CodecPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting two stacks …\n');
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const stacks: BenchStack[] = [];
  const startCaller = async (encrypts: boolean) => {
    const bench = await startBenchStack({ ...env, ENCRYPT_PAYLOADS: String(encrypts) });
    stacks.push(bench);
    return new BenchCaller(bench.stack, await bench.stack.token());
  };
  try {
    const [encrypted, clear] = [await startCaller(true), await startCaller(false)];
    // In each pair of results, `now` belongs to the stack with encryption, and `before` to the stack with clear text.
    const pairs = await runInTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmPersons(encrypted, confirmations),
      () => confirmPersons(clear, confirmations),
    );
    const ratios = pairs.map(({ now, before }) => now.perSecond / before.perSecond);
    const rateOf = (side: 'now' | 'before') => formatNumber(median(pairs.map((pair) => pair[side].perSecond)), 1);
    const msOf = (side: 'now' | 'before') => formatNumber(median(pairs.flatMap((pair) => pair[side].durationsMs)), 1);
    const rows = [
      ['clear text', rateOf('before'), msOf('before')],
      ['encrypted', rateOf('now'), msOf('now')],
    ];
    output.write(`\n${formatTable(['payloads', 'confirmations per second', 'median, ms'], rows)}\n`);
    const ratio = median(ratios);
    const range = [Math.min(...ratios), Math.max(...ratios)].map((one) => formatNumber(one)).join(' to ');
    output.write(`ratio of rates: ${formatNumber(ratio)} (rounds: ${range}); at least ${rateLimit} is accepted\n`);
    return ratio >= rateLimit;
  } finally {
    await Promise.all(stacks.map((stack) => stack.stop()));
  }
}
