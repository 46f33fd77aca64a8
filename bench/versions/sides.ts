import { performance } from 'node:perf_hooks';
import type { startStack } from '../../dev/stack/stack';
import { median } from '../report/statistics';
import { formatNumber } from '../report/table';
import { type BenchTransaction, BenchCaller, type CallMeasurement, measureCalls } from '../worker/bench-caller';
import { startBenchStack } from '../worker/bench-stack';
import { type FirstTasks, openFirstTasks } from './first-tasks';

/** Parallel callers: enough to keep two cores busy, few enough for short queues. */
export const concurrency = 8;
export const operations = ['create', 'send', 'validate'] as const;
export type Operation = (typeof operations)[number];

/** A running stack that is compared with another one. */
export interface Side {
  caller: BenchCaller;
  firstTasks: FirstTasks;
  /** The ids of its processes, by their names. */
  pids: () => Partial<Record<string, number>>;
  stop: () => Promise<void>;
}

/**
 * Creates `count` transactions, sends a code for each, and validates the code. Returns the measurement of each operation. The rate
 * of creates also includes the first workflow task of each transaction. Without these tasks, a version that starts them later would seem
 * faster.
 */
export async function confirmAll(
  { caller, firstTasks }: Side,
  count: number,
): Promise<Record<Operation, CallMeasurement>> {
  const transactions: BenchTransaction[] = [];
  const start = performance.now();
  const { durationsMs } = await measureCalls([...new Array(count).keys()], concurrency, async () => {
    transactions.push(await caller.createTransaction());
  });
  await firstTasks.waitFor(transactions);
  const create = { durationsMs, perSecond: (count * 1_000) / (performance.now() - start) };
  const send = await measureCalls(transactions, concurrency, (transaction) => caller.requestSmsToken(transaction));
  const codes = new Map<BenchTransaction, string>();
  for (const transaction of transactions) codes.set(transaction, await caller.readCode(transaction));
  const validate = await measureCalls(transactions, concurrency, (transaction) =>
    caller.validateCode(transaction, codes.get(transaction) ?? ''),
  );
  return { create, send, validate };
}

/** Starts a stack with these settings. `start`: from another checkout. */
export async function startSide(settings: NodeJS.ProcessEnv, start?: typeof startStack): Promise<Side> {
  const bench = await startBenchStack(settings, start);
  const firstTasks = await openFirstTasks(bench.stack);
  const stop = async () => {
    await firstTasks.close();
    await bench.stop();
  };
  return {
    caller: new BenchCaller(bench.stack, await bench.stack.token()),
    firstTasks,
    pids: () => bench.stack.pids(),
    stop,
  };
}

/** The results of all rounds, of this version (`now`) and of the other side (`before`). */
export type Pairs = { now: CallMeasurement; before: CallMeasurement }[];
const medianRate = (pairs: Pairs, side: 'now' | 'before') => median(pairs.map((pair) => pair[side].perSecond));
export const rateRatio = (pairs: Pairs) => median(pairs.map(({ now, before }) => now.perSecond / before.perSecond));
const medianMs = (pairs: Pairs, side: 'now' | 'before') => median(pairs.flatMap((pair) => pair[side].durationsMs));
export const medianRatio = (pairs: Pairs) =>
  median(pairs.map(({ now, before }) => median(now.durationsMs) / median(before.durationsMs)));

export function formatRow(name: string, pairs: Pairs): string[] {
  return [
    name,
    formatNumber(medianRate(pairs, 'before'), 1),
    formatNumber(medianRate(pairs, 'now'), 1),
    formatNumber(rateRatio(pairs)),
    formatNumber(medianMs(pairs, 'before'), 1),
    formatNumber(medianMs(pairs, 'now'), 1),
    formatNumber(medianRatio(pairs)),
  ];
}

/** The header of a table with rows of `formatRow`. */
export const rowHeader = ['', 'before, per s', 'now, per s', 'ratio', 'before, median ms', 'now, median ms', 'ratio'];
