import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { requestToken } from '../../dev/stack/request-token';
import { tenant } from '../../test/faults/chaos-world';
import { Cluster, type Programs } from '../../test/faults/cluster/cluster';
import { allApis, temporalNames, workers } from '../../test/faults/cluster/layout';
import { cpuMsOf, readCpuTimes } from '../peers/cpu-time';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BenchCaller } from '../worker/bench-caller';

/** The options of the bench `topology`. */
export interface TopologyPlan {
  /** How often each size is measured. */
  rounds: number;
  seconds: number;
  /** The share of one core that each worker may use, in percent. */
  workerShare: number;
  /** The share of each API process. */
  apiShare: number;
}

/** What the bench needs on this machine. */
export interface TopologyMachine {
  /** The root folder of the repository. */
  root: string;
  programs: Programs;
  /** The path of this program. */
  cpulimit: string;
}

/** How many workers, and as many API processes. */
const sizes = [1, 2, 3] as const;
type Size = (typeof sizes)[number];

/**
 * Enough to keep the processes busy within their shares. With more callers, a command would wait for a worker longer than the API waits, and
 * get 503.
 */
const callersPerWorker = 3;
/** In this time, the processes that remain take over the work of those that were stopped, and new ones fill their caches. */
const warmUpMs = 10_000;

const groups = { api: allApis, worker: workers, temporal: temporalNames, postgres: ['postgres'] } as const;
type Group = keyof typeof groups;
const groupNames = Object.keys(groups) as Group[];

interface Measurement {
  perSecond: number;
  durationsMs: number[];
  failed: number;
  /** CPU time of all processes of a group, in ms for each transaction. */
  cpuMs: Record<Group, number>;
}

/** Limits the processes of the service to a share of a core, by stopping them for a part of the time. */
class Shares {
  readonly #limiters = new Map<string, ChildProcess>();

  constructor(
    private readonly program: string,
    private readonly cluster: Cluster,
  ) {}

  limit(name: string, percent: number): void {
    const args = ['--pid', String(this.cluster.pidOf(name)), '--limit', String(percent), '--quiet', '--lazy'];
    this.#limiters.set(name, spawn(this.program, args, { stdio: 'ignore' }));
  }

  /** Ends the limit of a process, which is then not left stopped. */
  async release(name: string): Promise<void> {
    const limiter = this.#limiters.get(name);
    this.#limiters.delete(name);
    if (!limiter || limiter.exitCode !== null) return;
    const ended = once(limiter, 'exit');
    limiter.kill('SIGINT');
    await ended;
    this.cluster.signal(name, 'SIGCONT');
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#limiters.keys()].map((name) => this.release(name)));
  }
}

/** Confirms persons by SMS for some time: creates a transaction, sends a code, and checks it. */
async function confirm(caller: BenchCaller, callers: number, milliseconds: number) {
  const durationsMs: number[] = [];
  let failed = 0;
  const until = performance.now() + milliseconds;
  const confirmOne = async () => {
    const start = performance.now();
    const transaction = await caller.createTransaction();
    await caller.requestSmsToken(transaction);
    await caller.validateCode(transaction, await caller.readCode(transaction));
    durationsMs.push(performance.now() - start);
  };
  const confirmMany = async () => {
    while (performance.now() < until)
      await confirmOne().catch(() => {
        failed += 1;
      });
  };
  await Promise.all(Array.from({ length: callers }, confirmMany));
  return { durationsMs, failed };
}

async function measure(cluster: Cluster, caller: BenchCaller, size: Size, seconds: number): Promise<Measurement> {
  const callers = callersPerWorker * size;
  await confirm(caller, callers, warmUpMs);
  const pids = (group: Group) => groups[group].filter((name) => isUsed(name, size)).map((name) => cluster.pidOf(name));
  const [before, start] = [readCpuTimes(), performance.now()];
  const { durationsMs, failed } = await confirm(caller, callers, seconds * 1_000);
  const [after, end] = [readCpuTimes(), performance.now()];
  const cpuMs = (group: Group) => pids(group).reduce((sum, pid) => sum + cpuMsOf(pid, before, after), 0);
  return {
    perSecond: (durationsMs.length * 1_000) / (end - start),
    durationsMs,
    failed,
    cpuMs: Object.fromEntries(
      groupNames.map((group) => [group, cpuMs(group) / durationsMs.length]),
    ) as Measurement['cpuMs'],
  };
}

/** Whether a process runs with this many workers and API processes. */
function isUsed(name: string, size: Size): boolean {
  const [kind, number] = name.split('-');
  return (kind !== 'api' && kind !== 'worker') || Number(number) <= size;
}

/** Starts and stops processes, so that there are `size` workers and API processes, each limited to its share. */
async function resize(cluster: Cluster, shares: Shares, size: Size, plan: TopologyPlan): Promise<void> {
  const names = [...workers, ...allApis];
  // A limited process would take long to start and to stop.
  await shares.releaseAll();
  await cluster.stop(names.filter((name) => !isUsed(name, size)));
  const used = names.filter((name) => isUsed(name, size));
  await cluster.waitUntilReady(used);
  for (const name of used) shares.limit(name, name.startsWith('api') ? plan.apiShare : plan.workerShare);
}

function formatResults(results: ReadonlyMap<Size, readonly Measurement[]>): string {
  const rateOf = (size: Size) => median((results.get(size) ?? []).map(({ perSecond }) => perSecond));
  const rows = sizes.map((size) => {
    const rounds = results.get(size) ?? [];
    const durations = rounds.flatMap(({ durationsMs }) => durationsMs);
    return [
      String(size),
      formatNumber(rateOf(size), 2),
      formatNumber(rateOf(size) / rateOf(1), 2),
      formatNumber(median(durations), 0),
      formatNumber(quantile(durations, 0.99), 0),
      ...groupNames.map((group) => formatNumber(median(rounds.map(({ cpuMs }) => cpuMs[group])), 1)),
      String(rounds.reduce((sum, { failed }) => sum + failed, 0)),
    ];
  });
  const cpuHeader = groupNames.map((group) => `CPU ms, ${group}`);
  return formatTable(
    ['workers, and APIs', 'confirmed per second', 'ratio', 'p50 ms', 'p99 ms', ...cpuHeader, 'failed'],
    rows,
  );
}

let running: Cluster | undefined;

export async function interruptTopology(): Promise<void> {
  await running?.end();
}

/**
 * Measures how the rate grows with the number of workers and API processes, on the topology of `npm run chaos -- --cluster`. Each process may use
 * only a small share of a core, so that three of them fit on a machine that also runs Temporal and Postgres. Returns true. Needs Linux and root.
 */
export async function runTopology(
  plan: TopologyPlan,
  { root, programs, cpulimit }: TopologyMachine,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  output.write('Starting the cluster …\n');
  // The disks in this folder stay mounted until this process ends, so only the next run can remove it.
  const dataDir = join(root, '.cache', 'topology');
  rmSync(dataDir, { recursive: true, force: true });
  const cluster = await Cluster.create({
    ...{ root, dataDir, programs, persons: 0, seed: 1, print: () => undefined },
    ...{ apis: allApis, clockSteppers: [] },
  });
  running = cluster;
  const shares = new Shares(cpulimit, cluster);
  try {
    await cluster.start();
    const token = await requestToken({ dataDir, port: cluster.ports.api, tenant });
    const caller = new BenchCaller(cluster.stack, token);
    const results = new Map<Size, Measurement[]>(sizes.map((size) => [size, []]));
    const order = Array.from({ length: plan.rounds }, (_, round) => (round % 2 === 0 ? sizes : sizes.toReversed()));
    const updateProgress = startProgressBar(output, 'Measured', order.flat().length);
    for (const [index, size] of order.flat().entries()) {
      await resize(cluster, shares, size, plan);
      results.get(size)?.push(await measure(cluster, caller, size, plan.seconds));
      updateProgress(index + 1);
    }
    output.write(`\n${formatResults(results)}\n\n`);
    return true;
  } finally {
    await shares.releaseAll();
    await cluster.end();
  }
}
