import { setTimeout as sleep } from 'node:timers/promises';
import { showProgress } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { measure, type Person, VersionCaller } from '../versions/version-caller';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';

export interface ReadsPlan {
  rounds: number;
  /** Transactions on each stack. */
  transactions: number;
}

/** How each stack reads. `cold`: the worker keeps fewer workflows than there are, so that each query replays one. */
const settings = {
  'warm query': { READS: 'workflow' },
  'cold query': { READS: 'workflow', WORKER_CACHED_WORKFLOWS: '5' },
  record: { READS: 'record' },
} as const;
type Side = keyof typeof settings;
const sides = Object.keys(settings) as Side[];

/** What a transaction does on its own has been done by then. */
const settleMs = 500;
/** Rounds before anything counts: connections, caches, compiled code. */
const warmUp = 2;

/** Measures `GET /v1/transaction/{id}` from a cached workflow, from one that is replayed first, and from the record, in turns. */
export async function runReads({ rounds, transactions }: ReadsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting three stacks …\n');
  const stacks: BenchStack[] = [];
  try {
    const callers = new Map<Side, { caller: VersionCaller; persons: Person[] }>();
    for (const side of sides) {
      const bench = await startBenchStack({
        NODE_ENV: 'production',
        RATE_LIMIT_PER_SECOND: '100000',
        ...settings[side],
      });
      stacks.push(bench);
      const caller = new VersionCaller(bench.stack, await bench.stack.token());
      const persons: Person[] = [];
      while (persons.length < transactions) persons.push(await caller.create());
      await sleep(settleMs);
      for (const person of persons) await caller.send(person);
      callers.set(side, { caller, persons });
    }
    const times = new Map<Side, number[]>(sides.map((side) => [side, []]));
    const progress = showProgress(output, 'Read', rounds);
    for (let round = 0; round < warmUp + rounds; round += 1) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const { caller, persons } = callers.get(side) ?? { caller: undefined, persons: [] };
        const { ms } = await measure(persons, 1, async (person) => caller?.read(person));
        if (round >= warmUp) times.get(side)?.push(...ms);
      }
      progress(Math.max(0, round + 1 - warmUp));
    }
    const rows = sides.map((side) => {
      const ms = times.get(side) ?? [];
      return [side, figure(median(ms), 1), figure(quantile(ms, 0.95), 1), figure(quantile(ms, 0.99), 1)];
    });
    output.write(`\n${table(['GET /v1/transaction/{id}, one at a time', 'median, ms', 'p95, ms', 'p99, ms'], rows)}\n`);
    return true;
  } finally {
    await Promise.all(stacks.map((bench) => bench.end()));
  }
}
