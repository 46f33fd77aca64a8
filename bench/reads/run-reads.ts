import { setTimeout as sleep } from 'node:timers/promises';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { measureCalls, type BenchTransaction, BenchCaller } from '../worker/bench-caller';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';

/** The options of the bench `reads`. */
export interface ReadsPlan {
  rounds: number;
  /** Transactions on each stack. */
  transactions: number;
}

/**
 * How each stack reads a transaction. `warm query`: the API queries a workflow that the worker has in its cache. `cold query`: the worker
 * caches fewer workflows than there are, so for each query, the worker first runs the code of the workflow again from its history (a
 * replay). `record`: the API reads the record in Postgres.
 */
const settings = {
  'warm query': { READS: 'workflow' },
  'cold query': { READS: 'workflow', WORKER_CACHED_WORKFLOWS: '20' },
  record: { READS: 'record' },
} as const;
type Side = keyof typeof settings;
const sides = Object.keys(settings) as Side[];

/** Background work of the new transactions ends within this time. */
const settleMs = 500;
/** How many rounds at the start are not measured. They open connections, fill caches and compile code. */
const warmUp = 2;

/**
 * Measures `GET /v1/transaction/{id}` from a cached workflow, from a replayed workflow and from the record, in turns. Always
 * returns true, because there is no limit.
 */
export async function runReads({ rounds, transactions }: ReadsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting three stacks …\n');
  const stacks: BenchStack[] = [];
  try {
    const callers = new Map<Side, { caller: BenchCaller; created: BenchTransaction[] }>();
    for (const side of sides) {
      const bench = await startBenchStack({
        NODE_ENV: 'production',
        RATE_LIMIT_PER_SECOND: '100000',
        ...settings[side],
      });
      stacks.push(bench);
      const caller = new BenchCaller(bench.stack, await bench.stack.token());
      const created: BenchTransaction[] = [];
      while (created.length < transactions) created.push(await caller.createTransaction());
      await sleep(settleMs);
      for (const transaction of created) await caller.requestSmsToken(transaction);
      callers.set(side, { caller, created });
    }
    const times = new Map<Side, number[]>(sides.map((side) => [side, []]));
    const updateProgress = startProgressBar(output, 'Read', rounds);
    for (let round = 0; round < warmUp + rounds; round += 1) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const { caller, created } = callers.get(side) ?? { caller: undefined, created: [] };
        const { durationsMs } = await measureCalls(created, 1, async (transaction) =>
          caller?.readTransaction(transaction),
        );
        if (round >= warmUp) times.get(side)?.push(...durationsMs);
      }
      updateProgress(Math.max(0, round + 1 - warmUp));
    }
    const rows = sides.map((side) => {
      const ms = times.get(side) ?? [];
      return [
        side,
        formatNumber(median(ms), 1),
        formatNumber(quantile(ms, 0.95), 1),
        formatNumber(quantile(ms, 0.99), 1),
      ];
    });
    output.write(
      `\n${formatTable(['GET /v1/transaction/{id}, one at a time', 'median, ms', 'p95, ms', 'p99, ms'], rows)}\n`,
    );
    return true;
  } finally {
    await Promise.all(stacks.map((bench) => bench.stop()));
  }
}
