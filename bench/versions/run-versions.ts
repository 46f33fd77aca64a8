import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { startStack } from '../../dev/stack/stack';
import { transactionWorkflowId, view } from '../../workflows/contract';
import { showProgress } from '../report/progress';
import { median } from '../report/statistics';
import { figure, table } from '../report/table';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { type Measured, measure, type Person, VersionCaller } from './version-caller';

export interface VersionsPlan {
  rounds: number;
  /** Transactions of each side in each round. */
  transactions: number;
}

/** Callers at once: enough to keep two cores busy, few enough that the queues stay short. */
const atOnce = 8;
/** Rounds before anything counts: connections, caches, compiled code. */
const warmUp = 2;
/** What a new transaction does on its own has been done by then. */
const settleMs = 500;
/** Reads of each transaction in each round. */
const reads = 10;

const steps = ['create', 'send', 'validate'] as const;
type Step = (typeof steps)[number];

/** What may not be below, as a ratio of this version to the other. */
const promised = { rate: 0.95, validateMedian: 1.05, query: 0.9, record: 0.95 };

/** Every call of one round on one side. */
async function confirmAll(caller: VersionCaller, transactions: number): Promise<Record<Step, Measured>> {
  const persons: Person[] = [];
  const create = await measure([...new Array(transactions).keys()], atOnce, async () => {
    persons.push(await caller.create());
  });
  await sleep(settleMs);
  const send = await measure(persons, atOnce, (person) => caller.send(person));
  const codes = new Map<Person, string>();
  for (const person of persons) codes.set(person, await caller.code(person));
  const validate = await measure(persons, atOnce, (person) => caller.validate(person, codes.get(person) ?? ''));
  return { create, send, validate };
}

/** Runs two works in turns, `rounds` times; who goes first alternates. Gives the results after the warm-up. */
async function inTurns<Result>(
  { rounds, output, name }: { rounds: number; output: NodeJS.WriteStream; name: string },
  now: () => Promise<Result>,
  before: () => Promise<Result>,
): Promise<{ now: Result; before: Result }[]> {
  const results: { now: Result; before: Result }[] = [];
  const progress = showProgress(output, name, rounds);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair: Partial<{ now: Result; before: Result }> = {};
    const one = async () => void (pair.now = await now());
    const other = async () => void (pair.before = await before());
    for (const work of round % 2 === 0 ? [one, other] : [other, one]) await work();
    if (round >= warmUp) results.push(pair as { now: Result; before: Result });
    progress(Math.max(0, round + 1 - warmUp));
  }
  return results;
}

const repeated = (persons: readonly Person[]) => Array.from({ length: reads }, () => persons).flat();

async function newPersons(caller: VersionCaller, count: number): Promise<Person[]> {
  const persons: Person[] = [];
  while (persons.length < count) persons.push(await caller.create());
  await sleep(settleMs);
  return persons;
}

type Pairs = { now: Measured; before: Measured }[];
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
 * Measures this version and the built checkout in `against`, each as a whole stack, in turns in one run. Answers whether this
 * one is about as fast: creates, sends and validates, and reads by query and from the record.
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
    const confirmed = await inTurns(
      { rounds, output, name: 'Confirmed' },
      () => confirmAll(now, transactions),
      () => confirmAll(before, transactions),
    );
    const running = await newPersons(now, transactions);
    const connection = await Connection.connect({ address: now.stack.addresses.temporal });
    const queries = rawQueries(connection);
    const queried = await inTurns(
      { rounds, output, name: 'Read by query' },
      () => measure(repeated(running), atOnce, (person) => now.read(person)),
      () => measure(repeated(running), atOnce, queries),
    ).finally(() => void connection.close());
    const record = await open({ ...env, READS: 'record' });
    const [persons, persons909] = [await newPersons(record, transactions), await newPersons(before, transactions)];
    const recorded = await inTurns(
      { rounds, output, name: 'Read from the record' },
      () => measure(repeated(persons), atOnce, (person) => record.read(person)),
      () => measure(repeated(persons909), atOnce, (person) => before.read(person)),
    );
    const pairsOf = (step: Step): Pairs =>
      confirmed.map((pair) => ({ now: pair.now[step], before: pair.before[step] }));
    return report({ confirmed: pairsOf, queried, recorded }, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.end()));
  }
}

/** Asks the server for the view of a transaction as the API does, without the API. */
function rawQueries(connection: Connection): (person: Person) => Promise<unknown> {
  const client = new Client({ connection, namespace: 'default' });
  return ({ path }) => {
    const handle = client.workflow.getHandle(transactionWorkflowId('local', path.split('/').at(-1) ?? ''));
    return handle.query(view, new Date().toISOString());
  };
}

function report(
  { confirmed, queried, recorded }: { confirmed: (step: Step) => Pairs; queried: Pairs; recorded: Pairs },
  output: NodeJS.WriteStream,
): boolean {
  const header = ['', 'before, per s', 'now, per s', 'ratio', 'before, median ms', 'now, median ms', 'ratio'];
  const rows = [
    ...steps.map((step) => row(step, confirmed(step))),
    row('GET by query (before: raw query)', queried),
    row('GET from the record', recorded),
  ];
  output.write(`\n${table(header, rows)}\n\n`);
  const promises: [string, boolean][] = [
    ...steps.map((step): [string, boolean] => [
      `rate of ${step}: at least ${promised.rate}`,
      rateRatio(confirmed(step)) >= promised.rate,
    ]),
    [
      `median of validate: at most ${promised.validateMedian}`,
      medianRatio(confirmed('validate')) <= promised.validateMedian,
    ],
    [`GET by query, of a raw query: at least ${promised.query}`, rateRatio(queried) >= promised.query],
    [`GET from the record: at least ${promised.record}`, rateRatio(recorded) >= promised.record],
  ];
  for (const [promise, holds] of promises) output.write(`${holds ? 'holds   ' : 'NOT held'}  ${promise}\n`);
  return promises.every(([, holds]) => holds);
}
