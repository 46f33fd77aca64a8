import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { startStack } from '../../dev/stack/stack';
import { transactionWorkflowId, view } from '../../workflows/contract';
import { showProgress } from '../report/progress';
import { median } from '../report/statistics';
import { figure, table } from '../report/table';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { type Measurement, measure, type BenchTransaction, VersionCaller } from './version-caller';

export interface VersionsPlan {
  rounds: number;
  /** Transactions of each side in each round. */
  transactions: number;
}

/** Parallel callers: enough to keep two cores busy, few enough for short queues. */
const concurrency = 8;
/** Rounds that are not measured: they open connections, fill caches and compile code. */
const warmUp = 2;
/** Background work of new transactions ends within this time. */
const settleMs = 500;
/** Reads of each transaction in each round. */
const reads = 10;

const steps = ['create', 'send', 'validate'] as const;
type Step = (typeof steps)[number];

/** Limits of the ratios of this version to the other one: of rates the lowest, of medians the highest. */
const limits = { rate: 0.95, validateMedian: 1.05, query: 0.9, record: 0.95 };

/** Creates, sends and validates on one side in one round. */
async function confirmAll(caller: VersionCaller, count: number): Promise<Record<Step, Measurement>> {
  const transactions: BenchTransaction[] = [];
  const create = await measure([...new Array(count).keys()], concurrency, async () => {
    transactions.push(await caller.create());
  });
  await sleep(settleMs);
  const send = await measure(transactions, concurrency, (transaction) => caller.send(transaction));
  const codes = new Map<BenchTransaction, string>();
  for (const transaction of transactions) codes.set(transaction, await caller.readCode(transaction));
  const validate = await measure(transactions, concurrency, (transaction) =>
    caller.validate(transaction, codes.get(transaction) ?? ''),
  );
  return { create, send, validate };
}

/** Runs two measurements in turns, `rounds` times. The first one alternates. Returns the results after the warm-up. */
async function inTurns<Result>(
  { rounds, output, name }: { rounds: number; output: NodeJS.WriteStream; name: string },
  now: () => Promise<Result>,
  before: () => Promise<Result>,
): Promise<{ now: Result; before: Result }[]> {
  const results: { now: Result; before: Result }[] = [];
  const progress = showProgress(output, name, rounds);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair: Partial<{ now: Result; before: Result }> = {};
    const runNow = async () => void (pair.now = await now());
    const runBefore = async () => void (pair.before = await before());
    for (const run of round % 2 === 0 ? [runNow, runBefore] : [runBefore, runNow]) await run();
    if (round >= warmUp) results.push(pair as { now: Result; before: Result });
    progress(Math.max(0, round + 1 - warmUp));
  }
  return results;
}

const repeatReads = (transactions: readonly BenchTransaction[]) =>
  Array.from({ length: reads }, () => transactions).flat();

async function createTransactions(caller: VersionCaller, count: number): Promise<BenchTransaction[]> {
  const transactions: BenchTransaction[] = [];
  while (transactions.length < count) transactions.push(await caller.create());
  await sleep(settleMs);
  return transactions;
}

type Pairs = { now: Measurement; before: Measurement }[];
const rates = (pairs: Pairs, side: 'now' | 'before') => median(pairs.map((pair) => pair[side].perSecond));
const rateRatio = (pairs: Pairs) => median(pairs.map(({ now, before }) => now.perSecond / before.perSecond));
const medians = (pairs: Pairs, side: 'now' | 'before') => median(pairs.flatMap((pair) => pair[side].ms));
const medianRatio = (pairs: Pairs) => median(pairs.map(({ now, before }) => median(now.ms) / median(before.ms)));

function row(name: string, pairs: Pairs): string[] {
  return [
    name,
    figure(rates(pairs, 'before'), 1),
    figure(rates(pairs, 'now'), 1),
    figure(rateRatio(pairs)),
    figure(medians(pairs, 'before'), 1),
    figure(medians(pairs, 'now'), 1),
    figure(medianRatio(pairs)),
  ];
}

/**
 * Compares this version with the built checkout in `against`, each as a whole stack, in turns. Returns whether this version is
 * about as fast: creates, sends, validates, and reads by query and from the record.
 */
export async function runVersions(
  { rounds, transactions }: VersionsPlan,
  against: string,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const other = require(join(against, 'dist', 'dev', 'stack', 'stack.js')) as { startStack: typeof startStack };
  output.write('Starting three stacks …\n');
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const stacks: BenchStack[] = [];
  const open = async (settings: NodeJS.ProcessEnv, start?: typeof startStack) => {
    const bench = await startBenchStack(settings, start);
    stacks.push(bench);
    return new VersionCaller(bench.stack, await bench.stack.token());
  };
  try {
    const before = await open(env, other.startStack);
    const now = await open({ ...env, READS: 'workflow' });
    const confirmations = await inTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmAll(now, transactions),
      () => confirmAll(before, transactions),
    );
    const transactionsNow = await createTransactions(now, transactions);
    const connection = await Connection.connect({ address: now.stack.addresses.temporal });
    const queries = rawQueries(connection);
    const queryReads = await inTurns(
      { rounds, output, name: 'Read by query' },
      () => measure(repeatReads(transactionsNow), concurrency, (transaction) => now.read(transaction)),
      () => measure(repeatReads(transactionsNow), concurrency, queries),
    ).finally(() => void connection.close());
    const record = await open({ ...env, READS: 'record' });
    const [recordTransactions, transactionsBefore] = [
      await createTransactions(record, transactions),
      await createTransactions(before, transactions),
    ];
    const recordReads = await inTurns(
      { rounds, output, name: 'Read from the record' },
      () => measure(repeatReads(recordTransactions), concurrency, (transaction) => record.read(transaction)),
      () => measure(repeatReads(transactionsBefore), concurrency, (transaction) => before.read(transaction)),
    );
    const pairsOf = (step: Step): Pairs =>
      confirmations.map((pair) => ({ now: pair.now[step], before: pair.before[step] }));
    return report({ confirmed: pairsOf, queryReads, recordReads }, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.stop()));
  }
}

/** Queries the view of a transaction as the API does, but without the API. */
function rawQueries(connection: Connection): (transaction: BenchTransaction) => Promise<unknown> {
  const client = new Client({ connection, namespace: 'default' });
  return ({ path }) => {
    const handle = client.workflow.getHandle(transactionWorkflowId('local', path.split('/').at(-1) ?? ''));
    return handle.query(view, new Date().toISOString());
  };
}

function report(
  { confirmed, queryReads, recordReads }: { confirmed: (step: Step) => Pairs; queryReads: Pairs; recordReads: Pairs },
  output: NodeJS.WriteStream,
): boolean {
  const header = ['', 'before, per s', 'now, per s', 'ratio', 'before, median ms', 'now, median ms', 'ratio'];
  const rows = [
    ...steps.map((step) => row(step, confirmed(step))),
    row('GET by query (before: raw query)', queryReads),
    row('GET from the record', recordReads),
  ];
  output.write(`\n${table(header, rows)}\n\n`);
  const checks: [string, boolean][] = [
    ...steps.map((step): [string, boolean] => [
      `rate of ${step}: at least ${limits.rate}`,
      rateRatio(confirmed(step)) >= limits.rate,
    ]),
    [
      `median of validate: at most ${limits.validateMedian}`,
      medianRatio(confirmed('validate')) <= limits.validateMedian,
    ],
    [`rate of GET by query, to a raw query: at least ${limits.query}`, rateRatio(queryReads) >= limits.query],
    [`rate of GET from the record: at least ${limits.record}`, rateRatio(recordReads) >= limits.record],
  ];
  for (const [limit, passed] of checks) output.write(`${passed ? 'passed' : 'FAILED'}  ${limit}\n`);
  return checks.every(([, passed]) => passed);
}
