import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { localEnvironment } from '../../dev/stack/local-environment';
import type { Stack, startStack } from '../../dev/stack/stack';
import { readKeysConfig } from '../../platform/config';
import { createMasterKeys } from '../../platform/keys/master-keys';
import { openKeys } from '../../platform/keys/root-secret';
import { TransactionKeys } from '../../platform/keys/transaction-keys';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { dataOwnerOf, transactionWorkflowId, view } from '../../workflows/contract';
import { runInTurns } from '../report/run-in-turns';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { type CallMeasurement, measureCalls, type BenchTransaction, BenchCaller } from '../worker/bench-caller';

export interface VersionsPlan {
  rounds: number;
  /** Transactions of each side in each round. */
  transactions: number;
}

/** Parallel callers: enough to keep two cores busy, few enough for short queues. */
const concurrency = 8;
/** Background work of new transactions ends within this time. */
const settleMs = 500;
/** Reads of each transaction in each round. */
const readsPerTransaction = 10;

const operations = ['create', 'send', 'validate'] as const;
type Operation = (typeof operations)[number];

/**
 * Limits of the ratios of this version to the other one. `validateMedian`: the highest ratio of times. The others: the
 * lowest ratio of rates. `rawQuery`: to a query without HTTP. `query`: to a query and an empty request, the least that a read over HTTP can
 * cost.
 */
const limits = { rate: 0.95, validateMedian: 1.05, rawQuery: 0.9, query: 0.9, record: 0.95 };

/** Creates transactions, sends each a code and validates it. Returns the measurement of each operation. */
async function confirmAll(caller: BenchCaller, count: number): Promise<Record<Operation, CallMeasurement>> {
  const transactions: BenchTransaction[] = [];
  const create = await measureCalls([...new Array(count).keys()], concurrency, async () => {
    transactions.push(await caller.createTransaction());
  });
  await sleep(settleMs);
  const send = await measureCalls(transactions, concurrency, (transaction) => caller.requestSmsToken(transaction));
  const codes = new Map<BenchTransaction, string>();
  for (const transaction of transactions) codes.set(transaction, await caller.readCode(transaction));
  const validate = await measureCalls(transactions, concurrency, (transaction) =>
    caller.validateCode(transaction, codes.get(transaction) ?? ''),
  );
  return { create, send, validate };
}

const repeatReads = (transactions: readonly BenchTransaction[]) =>
  Array.from({ length: readsPerTransaction }, () => transactions).flat();

async function createTransactions(caller: BenchCaller, count: number): Promise<BenchTransaction[]> {
  const transactions: BenchTransaction[] = [];
  while (transactions.length < count) transactions.push(await caller.createTransaction());
  await sleep(settleMs);
  return transactions;
}

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
 * Compares this version with the built checkout in `otherCheckout`. Each runs as a whole stack, in turns. Returns whether this
 * version is about as fast for creates, sends, validations, and reads by query and from the record.
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
  const startCaller = async (settings: NodeJS.ProcessEnv, start?: typeof startStack) => {
    const bench = await startBenchStack(settings, start);
    stacks.push(bench);
    return new BenchCaller(bench.stack, await bench.stack.token());
  };
  try {
    const callerBefore = await startCaller(env, otherModule.startStack);
    const callerNow = await startCaller({ ...env, READS: 'workflow' });
    const confirmations = await runInTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmAll(callerNow, transactions),
      () => confirmAll(callerBefore, transactions),
    );
    const transactionsNow = await createTransactions(callerNow, transactions);
    const rawReader = await openRawReader(callerNow.stack);
    const compareReads = (name: string, readOther: (transaction: BenchTransaction) => Promise<unknown>) =>
      runInTurns(
        { rounds, output, name },
        () => measureCalls(repeatReads(transactionsNow), concurrency, (one) => callerNow.readTransaction(one)),
        () => measureCalls(repeatReads(transactionsNow), concurrency, readOther),
      );
    const rawReads = await compareReads('Read by query and by raw query', rawReader.query);
    const queryReads = await compareReads('Read by query and by raw query with a request', async (transaction) => {
      await rawReader.query(transaction);
      await callerNow.requestHealth();
    });
    await rawReader.close();
    const recordCaller = await startCaller({ ...env, READS: 'record' });
    const [recordTransactions, transactionsBefore] = [
      await createTransactions(recordCaller, transactions),
      await createTransactions(callerBefore, transactions),
    ];
    const recordReads = await runInTurns(
      { rounds, output, name: 'Read from the record' },
      () =>
        measureCalls(repeatReads(recordTransactions), concurrency, (transaction) =>
          recordCaller.readTransaction(transaction),
        ),
      () =>
        measureCalls(repeatReads(transactionsBefore), concurrency, (transaction) =>
          callerBefore.readTransaction(transaction),
        ),
    );
    const pairsOf = (operation: Operation): Pairs =>
      confirmations.map((pair) => ({ now: pair.now[operation], before: pair.before[operation] }));
    return report({ pairsOf, rawReads, queryReads, recordReads }, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.stop()));
  }
}

interface RawReader {
  query: (transaction: BenchTransaction) => Promise<unknown>;
  close: () => Promise<void>;
}

/** Queries the view of a transaction in the workflow without the API, and decrypts the answer as the API does. */
async function openRawReader({ addresses, dataDir }: Stack): Promise<RawReader> {
  const config = readKeysConfig(localEnvironment(dataDir));
  const pool = openPool(config.DATABASE_URL, createLogger('bench', 'silent'), concurrency);
  const { masterKeys } = await openKeys(pool, createMasterKeys(config.SERVICE_KEY, config.OTHER_SERVICE_KEYS));
  const transactionKeys = new TransactionKeys(pool, masterKeys);
  const connection = await Connection.connect({ address: addresses.temporal });
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts: true });
  const client = new Client({ connection, namespace: 'default', dataConverter });
  return {
    query: ({ path }) => {
      const handle = client.workflow.getHandle(transactionWorkflowId('local', path.split('/').at(-1) ?? ''));
      return handle.query(view, new Date().toISOString());
    },
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
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
    formatRow('GET by query (before: raw query)', rawReads),
    formatRow('GET by query (before: raw query and empty request)', queryReads),
    formatRow('GET from the record', recordReads),
  ];
  output.write(`\n${formatTable(header, rows)}\n\n`);
  const checks: [string, boolean][] = [
    ...operations.map((operation): [string, boolean] => [
      `rate of ${operation}: at least ${limits.rate}`,
      rateRatio(pairsOf(operation)) >= limits.rate,
    ]),
    [`median of validate: at most ${limits.validateMedian}`, medianRatio(pairsOf('validate')) <= limits.validateMedian],
    [`rate of GET by query, to a raw query: at least ${limits.rawQuery}`, rateRatio(rawReads) >= limits.rawQuery],
    [
      `rate of GET by query, to a raw query and an empty request: at least ${limits.query}`,
      rateRatio(queryReads) >= limits.query,
    ],
    [`rate of GET from the record: at least ${limits.record}`, rateRatio(recordReads) >= limits.record],
  ];
  for (const [limit, passed] of checks) output.write(`${passed ? 'passed' : 'FAILED'}  ${limit}\n`);
  return checks.every(([, passed]) => passed);
}
