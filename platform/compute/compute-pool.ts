import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import { FairQueue } from '../fairness/fair-queue';
import { Shares } from '../fairness/shares';

/** The share of the tenant is used up, or the deadline passed. Nothing was changed, so the caller can try again. */
export class ComputeBusy extends Error {
  override name = 'ComputeBusy';
}

/** Functions that run in the threads of a pool. Each takes one value. The value and the result are plain data, because both are copied. */
type Tasks<Functions> = { [Name in keyof Functions]: (input: never) => unknown };

/** Threads that compute on data of callers, so that no caller's data delays the requests of others. */
export interface ComputePool<Functions extends Tasks<Functions>> {
  /**
   * Runs the function `name` in a thread, and resolves to its result. Rejects with ComputeBusy if the tenant already has as many tasks as
   * its share allows, or if there is no result within the deadline. A thread that runs longer is killed and replaced. Rejects with the
   * error of the function.
   */
  run<Name extends keyof Functions & string>(
    tenant: string,
    name: Name,
    input: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  /** Ends all threads. Running tasks reject. */
  close(): Promise<void>;
}

export interface ComputeOptions {
  /** How long a task may wait and run, in milliseconds. */
  deadlineMs: number;
  /** Number of threads. At least two, because a tenant may use all but one. */
  threads?: number;
  /** How many tasks of one tenant may wait. Each page with a diagram has one task. */
  waitingPerTenantMax?: number;
}

/** A quarter of the cores of a large machine is enough for checks and drawings. With two threads, another tenant always has one. */
const defaultThreads = Math.min(4, Math.max(2, Math.floor(availableParallelism() / 4)));

/**
 * On Linux, each thread has its own priority. With this one, a thread that computes without end gets about a tenth of a core that the
 * thread with the requests also needs. Elsewhere, the priority would count for the whole process, so it stays the same.
 */
const niceIncrement = process.platform === 'linux' ? 10 : 0;

/** The largest flow needs less than 60 MB. Without a limit, one task could use all the memory of the process. */
const heapMbMax = 256;

/** Threads of an idle process end after this time, because each takes about 30 MB. A new thread is ready after some 200 ms. */
const idleMs = 60_000;

/** Threads run JavaScript only. If this file runs as TypeScript, as in tests, the build is in `dist`. `npm test` updates it first. */
const builtRoot = path.join(__dirname, '..', '..', path.extname(__filename) === '.ts' ? 'dist' : '.');

/**
 * Opens a pool. `module`: the path of the module with the functions from the root, such as `api/flows/compute/flow-tasks`. A tenant has at
 * most one running task, so no tenant occupies all threads. Threads get no environment, so no secrets.
 */
export function openComputePool<Functions extends Tasks<Functions>>(
  module: string,
  { deadlineMs, threads = defaultThreads, waitingPerTenantMax = 20 }: ComputeOptions,
): ComputePool<Functions> {
  const piscina = new Piscina({
    filename: path.resolve(builtRoot, `${module}.js`),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    niceIncrement,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    env: {},
  });
  // Only as many tasks as threads are given to the pool, so that the tasks of all tenants wait in one queue. A tenant has one thread.
  const queue = new FairQueue({ slots: threads, slotsPerTenant: 1 });
  const tasks = new Shares();

  async function execute(name: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw new ComputeBusy('The deadline passed before a thread was free.');
    try {
      return await piscina.run(input, { name, signal });
    } catch (error) {
      if (signal.aborted) throw new ComputeBusy('The task did not end within its deadline.', { cause: error });
      throw error;
    }
  }

  async function runInShare(tenant: string, name: string, input: unknown): Promise<unknown> {
    const release = tasks.take([{ subject: tenant, max: waitingPerTenantMax + 1 }]);
    if (!release) throw new ComputeBusy('The share of the tenant is used up.');
    const signal = AbortSignal.timeout(deadlineMs);
    try {
      return await queue.run(() => execute(name, input, signal), tenant);
    } finally {
      release();
    }
  }

  return { run: runInShare as ComputePool<Functions>['run'], close: () => piscina.destroy() };
}
