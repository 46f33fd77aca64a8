import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { startStack } from '../../dev/stack/stack';
import { runInTurns } from '../report/run-in-turns';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { type FirstTasks, openFirstTasks } from './first-tasks';
import { openRawReader } from './raw-reader';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { type CallMeasurement, measureCalls, type BenchTransaction, BenchCaller } from '../worker/bench-caller';

/** The options of the bench `versions`. */
export interface VersionsPlan {
  rounds: number;
  /** Transactions of each side in each round. */
  transactions: number;
}

/** Parallel callers: enough to keep two cores busy, few enough for short queues. */
const concurrency = 8;
/** Reads of each transaction in each round. */
const readsPerTransaction = 10;

const operations = ['create', 'send', 'validate'] as const;
type Operation = (typeof operations)[number];

/**
 * Limits of ratios: a value of this version, divided by the value of the other version. `validateMedian` is the highest accepted ratio of
 * median times. The other limits are the lowest accepted ratios of rates. `rate` is for creates, sends and validations. `record` is for
 * reads from the record. `query` is for reads by query. Their rate is divided by the rate of an Express server that only runs the query,
 * instead of the rate of the other version.
 */
const limits = { rate: 0.95, validateMedian: 1.05, query: 0.9, record: 0.95 };

/** A running stack of one version. */
interface Side {
  caller: BenchCaller;
  firstTasks: FirstTasks;
}

/**
 * Creates `count` transactions, sends a code for each, and validates the code. Returns the measurement of each operation. The rate
 * of creates also includes the first workflow task of each transaction. Without these tasks, a version that starts them later would seem
 * faster.
 */
async function confirmAll({ caller, firstTasks }: Side, count: number): Promise<Record<Operation, CallMeasurement>> {
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

/** Reads each transaction ten times with the function `read`, and measures these reads. */
function measureReads(
  transactions: readonly BenchTransaction[],
  read: (transaction: BenchTransaction) => Promise<unknown>,
): Promise<CallMeasurement> {
  const reads = Array.from({ length: readsPerTransaction }, () => transactions).flat();
  return measureCalls(reads, concurrency, read);
}

async function createTransactions({ caller, firstTasks }: Side, count: number): Promise<BenchTransaction[]> {
  const transactions: BenchTransaction[] = [];
  while (transactions.length < count) transactions.push(await caller.createTransaction());
  await firstTasks.waitFor(transactions);
  return transactions;
}

/**
 * Starts `raw-server.mjs`, which reads from the Temporal server of a stack. Returns a caller that sends its requests to `raw-server.mjs`.
 */
async function startRawServer({ stack }: BenchCaller) {
  const program = fork(
    require.resolve('./raw-server.mjs'),
    [JSON.stringify({ addresses: stack.addresses, dataDir: stack.dataDir })],
    { execArgv: [] },
  );
  const [port] = (await once(program, 'message')) as [number];
  const addresses = { ...stack.addresses, api: `http://127.0.0.1:${port}` };
  return { caller: new BenchCaller({ addresses, dataDir: stack.dataDir }, ''), close: async () => void program.kill() };
}

/** The results of all rounds, of this version (`now`) and of the other side (`before`). */
type Pairs = { now: CallMeasurement; before: CallMeasurement }[];
const medianRate = (pairs: Pairs, side: 'now' | 'before') => median(pairs.map((pair) => pair[side].perSecond));
const rateRatio = (pairs: Pairs) => median(pairs.map(({ now, before }) => now.perSecond / before.perSecond));
const medianMs = (pairs: Pairs, side: 'now' | 'before') => median(pairs.flatMap((pair) => pair[side].durationsMs));
const medianRatio = (pairs: Pairs) =>
  median(pairs.map(({ now, before }) => median(now.durationsMs) / median(before.durationsMs)));

function formatRow(name: string, pairs: Pairs): string[] {
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

/**
 * Compares this version (`now`) with the built checkout in `otherCheckout` (`before`). Each version runs as a whole stack. The stacks are
 * measured in turns. Returns whether all ratios are within `limits`.
 */
export async function runVersions(
  { rounds, transactions }: VersionsPlan,
  otherCheckout: string,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const otherModule = require(join(otherCheckout, 'dist', 'dev', 'stack', 'stack.js')) as {
    startStack: typeof startStack;
  };
  output.write('Starting three stacks …\n');
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const stacks: BenchStack[] = [];
  const connections: { close: () => Promise<void> }[] = [];
  const startSide = async (settings: NodeJS.ProcessEnv, start?: typeof startStack): Promise<Side> => {
    const bench = await startBenchStack(settings, start);
    stacks.push(bench);
    const firstTasks = await openFirstTasks(bench.stack);
    connections.push(firstTasks);
    return { caller: new BenchCaller(bench.stack, await bench.stack.token()), firstTasks };
  };
  try {
    const before = await startSide(env, otherModule.startStack);
    const now = await startSide({ ...env, READS: 'workflow' });
    const confirmations = await runInTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmAll(now, transactions),
      () => confirmAll(before, transactions),
    );
    const transactionsNow = await createTransactions(now, transactions);
    const rawReader = await openRawReader(now.caller.stack, concurrency);
    connections.push(rawReader);
    const compareReads = (name: string, readOther: (transaction: BenchTransaction) => Promise<unknown>) =>
      runInTurns(
        { rounds, output, name },
        () => measureReads(transactionsNow, (transaction) => now.caller.readTransaction(transaction)),
        () => measureReads(transactionsNow, readOther),
      );
    const rawReads = await compareReads('Read by query and by raw query', rawReader.query);
    const rawServer = await startRawServer(now.caller);
    connections.push(rawServer);
    const queryReads = await compareReads('Read by query and by a raw server', (transaction) =>
      rawServer.caller.readTransaction(transaction),
    );
    const record = await startSide({ ...env, READS: 'record' });
    const [recordTransactions, transactionsBefore] = [
      await createTransactions(record, transactions),
      await createTransactions(before, transactions),
    ];
    const recordReads = await runInTurns(
      { rounds, output, name: 'Read from the record' },
      () => measureReads(recordTransactions, (transaction) => record.caller.readTransaction(transaction)),
      () => measureReads(transactionsBefore, (transaction) => before.caller.readTransaction(transaction)),
    );
    const pairsOf = (operation: Operation): Pairs =>
      confirmations.map((pair) => ({ now: pair.now[operation], before: pair.before[operation] }));
    return report({ pairsOf, rawReads, queryReads, recordReads }, output);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
    await Promise.all(stacks.map((bench) => bench.stop()));
  }
}

function report(
  {
    pairsOf,
    rawReads,
    queryReads,
    recordReads,
  }: { pairsOf: (operation: Operation) => Pairs; rawReads: Pairs; queryReads: Pairs; recordReads: Pairs },
  output: NodeJS.WriteStream,
): boolean {
  const header = ['', 'before, per s', 'now, per s', 'ratio', 'before, median ms', 'now, median ms', 'ratio'];
  const rows = [
    ...operations.map((operation) => formatRow(operation, pairsOf(operation))),
    formatRow('GET by query (before: raw query without HTTP)', rawReads),
    formatRow('GET by query (before: raw query on an Express server)', queryReads),
    formatRow('GET from the record', recordReads),
  ];
  output.write(`\n${formatTable(header, rows)}\n\n`);
  const checks: [string, boolean][] = [
    ...operations.map((operation): [string, boolean] => [
      `rate of ${operation}: at least ${limits.rate}`,
      rateRatio(pairsOf(operation)) >= limits.rate,
    ]),
    [`median of validate: at most ${limits.validateMedian}`, medianRatio(pairsOf('validate')) <= limits.validateMedian],
    [
      `rate of GET by query, to a raw query on an Express server: at least ${limits.query}`,
      rateRatio(queryReads) >= limits.query,
    ],
    [`rate of GET from the record: at least ${limits.record}`, rateRatio(recordReads) >= limits.record],
  ];
  for (const [limit, passed] of checks) output.write(`${passed ? 'passed' : 'FAILED'}  ${limit}\n`);
  return checks.every(([, passed]) => passed);
}
