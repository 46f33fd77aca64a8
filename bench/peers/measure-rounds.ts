import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { startProgressBar } from '../report/progress';
import { quantile } from '../report/statistics';
import { type CpuTimes, cpuMsOf, databaseCpuMs, readCpuTimes } from './cpu-time';
import type { PeersWorld } from './peers-world';
import { readWalBytes, readWritingCommits } from './postgres-counters';
import { readCodes, type RunningSide, runOperation } from './run-operation';
import { definitionOf, type Operation, type ProcessGroup, type SideName } from './sides';

/** Within this time, the work that an operation leaves behind is done: an assessment, callbacks of the provider, deliveries of events. */
const settleMs = 2_000;
/** How long the idle programs are measured: long enough for several polls. */
const idleMs = 10_000;
/** Transactions of each side before the first round. They open connections, fill caches and compile code. */
const warmUpTransactions = 60;

/** The figures of one operation of one side in one round. CPU time, WAL and commits are per call, with the work that the call leaves behind. */
export interface OperationFigures {
  side: SideName;
  operation: Operation;
  round: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuMs: Partial<Record<ProcessGroup, number>>;
  /** These two are undefined without Postgres. */
  walBytes?: number;
  writingCommits?: number;
}

/** The CPU time of one side while no side has work, in ms per second, and the commits that write of all sides together, per second. */
export interface IdleFigures {
  side: SideName;
  cpuMs: Partial<Record<ProcessGroup, number>>;
  writingCommits: number;
}

/** The CPU time of each group of a side from `before` to `after`, divided by `count`. */
function cpuPer(
  count: number,
  world: PeersWorld,
  side: SideName,
  before: CpuTimes,
  after: CpuTimes,
): Partial<Record<ProcessGroup, number>> {
  const { database = '' } = definitionOf(side);
  const entries = Object.entries(world.pidsOf(side)) as [ProcessGroup, number][];
  return Object.fromEntries(
    entries.map(([group, pid]) => [
      group,
      (group === 'database' ? databaseCpuMs(pid, database, before, after) : cpuMsOf(pid, before, after)) / count,
    ]),
  );
}

/** Runs an operation, and measures its cost. `client`: of the Postgres server. `idleCommits`: commits that write per second without any call. */
async function measureOperation(
  world: PeersWorld,
  client: Client,
  side: RunningSide,
  operation: Operation,
  count: number,
  idleCommits: number,
): Promise<Omit<OperationFigures, 'round'>> {
  const startedAt = Date.now();
  const readPostgres = async () => ({ wal: await readWalBytes(client), commits: await readWritingCommits(client) });
  const [cpuBefore, before] = [readCpuTimes(), await readPostgres()];
  const { perSecond, durationsMs } = await runOperation(operation, side, count);
  await sleep(settleMs);
  const [cpuAfter, after] = [readCpuTimes(), await readPostgres()];
  return {
    side: side.name,
    operation,
    perSecond,
    p50Ms: quantile(durationsMs, 0.5),
    p99Ms: quantile(durationsMs, 0.99),
    cpuMs: cpuPer(count, world, side.name, cpuBefore, cpuAfter),
    ...(definitionOf(side.name).database && {
      walBytes: (after.wal - before.wal) / count,
      writingCommits: (after.commits - before.commits - ((Date.now() - startedAt) / 1_000) * idleCommits) / count,
    }),
  };
}

/** Measures the processes of all sides while no side has work. */
async function measureIdle(world: PeersWorld, client: Client, sides: readonly RunningSide[]): Promise<IdleFigures[]> {
  const [before, commitsBefore] = [readCpuTimes(), await readWritingCommits(client)];
  await sleep(idleMs);
  const [after, commitsAfter] = [readCpuTimes(), await readWritingCommits(client)];
  const seconds = idleMs / 1_000;
  const writingCommits = (commitsAfter - commitsBefore) / seconds;
  return sides.map(({ name }) => ({ side: name, cpuMs: cpuPer(seconds, world, name, before, after), writingCommits }));
}

/** Sides that create no transactions get those of the side that they read. */
function shareTransactions(side: RunningSide, sides: readonly RunningSide[]): void {
  const { reads } = definitionOf(side.name);
  if (reads) side.transactions = sides.find(({ name }) => name === reads)?.transactions ?? [];
}

/** Measures all operations of all sides. In each round, the sides take turns, and every second round has the reverse order. */
export async function measureRounds(
  world: PeersWorld,
  client: Client,
  sides: readonly RunningSide[],
  { rounds, operations: count }: { rounds: number; operations: number },
  output: NodeJS.WriteStream,
): Promise<{ figures: OperationFigures[]; idle: IdleFigures[] }> {
  const figures: OperationFigures[] = [];
  const turns = sides.reduce((sum, { name }) => sum + definitionOf(name).operations.length, 0);
  const updateWarmUp = startProgressBar(output, 'Warm-up', turns);
  for (const [index, side] of sides.entries()) {
    shareTransactions(side, sides);
    for (const operation of definitionOf(side.name).operations) {
      if (operation === 'right') await readCodes(side);
      await runOperation(operation, side, Math.min(warmUpTransactions, count));
    }
    updateWarmUp(Math.round((turns * (index + 1)) / sides.length));
  }
  await sleep(settleMs);
  const idle = await measureIdle(world, client, sides);
  const updateProgress = startProgressBar(output, 'Measured', rounds * turns);
  for (let round = 0; round < rounds; round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      shareTransactions(side, sides);
      for (const operation of definitionOf(side.name).operations) {
        if (operation === 'right') await readCodes(side);
        const idleCommits = idle[0]?.writingCommits ?? 0;
        figures.push({ ...(await measureOperation(world, client, side, operation, count, idleCommits)), round });
        updateProgress(figures.length);
      }
    }
  return { figures, idle };
}
