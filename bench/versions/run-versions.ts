import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { startStack } from '../../dev/stack/stack';
import { runInTurns } from '../report/run-in-turns';
import { formatTable } from '../report/table';
import { openRawReader } from './raw-reader';
import { type CallMeasurement, measureCalls, type BenchTransaction, BenchCaller } from '../worker/bench-caller';
import {
  concurrency,
  confirmAll,
  formatRow,
  medianRatio,
  type Operation,
  operations,
  type Pairs,
  rateRatio,
  rowHeader,
  type Side,
  startSide,
} from './sides';

/** The options of the bench `versions`. */
export interface VersionsPlan {
  rounds: number;
  /** Transactions of each side in each round. */
  transactions: number;
}

/** Reads of each transaction in each round. */
const readsPerTransaction = 10;

/**
 * Limits of ratios: a value of this version, divided by the value of the other version. `validateMedian` is the highest accepted ratio of
 * median times. The other limits are the lowest accepted ratios of rates. `rate` is for creates, sends and validations. `record` is for
 * reads from the record. `query` is for reads by query. Their rate is divided by the rate of an Express server that only runs the query,
 * instead of the rate of the other version.
 */
const limits = { rate: 0.95, validateMedian: 1.05, query: 0.9, record: 0.95 };

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
  const sides: Side[] = [];
  const connections: { close: () => Promise<void> }[] = [];
  const open = async (...settings: Parameters<typeof startSide>) => {
    const side = await startSide(...settings);
    sides.push(side);
    return side;
  };
  try {
    const before = await open(env, otherModule.startStack);
    const now = await open({ ...env, READS: 'workflow' });
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
    const record = await open({ ...env, READS: 'record' });
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
    await Promise.all(sides.map((side) => side.stop()));
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
  const rows = [
    ...operations.map((operation) => formatRow(operation, pairsOf(operation))),
    formatRow('GET by query (before: raw query without HTTP)', rawReads),
    formatRow('GET by query (before: raw query on an Express server)', queryReads),
    formatRow('GET from the record', recordReads),
  ];
  output.write(`\n${formatTable(rowHeader, rows)}\n\n`);
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
