import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Piscina } from 'piscina';
import { FairQueue, Shares } from '../fair-queue';

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
   * its share allows, or if there is no result within the deadline. A task that computes then may continue, so that its thread stays
   * warm; its result is lost. Rejects with the error of the function, or with the error of a thread that cannot start.
   */
  run<Name extends keyof Functions & string>(
    tenant: string,
    name: Name,
    input: Parameters<Functions[Name]>[0],
  ): Promise<Awaited<ReturnType<Functions[Name]>>>;
  /** Ends all threads. Tasks that run or wait reject. */
  close(): Promise<void>;
}

export interface ComputeOptions {
  /** How long the caller waits for the result, in milliseconds. This includes the start of a thread. */
  deadlineMs: number;
  /**
   * How long a task may compute, in milliseconds from when it has a thread. Then its thread is killed and replaced. By default, as long as
   * `deadlineMs`. The start of the thread does not count: a slow machine needs longer for it, and a new thread would be no faster.
   */
  computeMs?: number;
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

/**
 * How long a tenant rests after a task, as a multiple of the time of the task. With this rest, a tenant that computes without a pause has a
 * thread a quarter of the time. On a busy machine, tasks take longer, so the rest is longer, too. Measured with `npm run bench -- tenants`:
 * with a rest as long as the task, other tenants waited up to three times as long as without the computations.
 */
const restFactor = 3;

/** The largest flow needs less than 60 MB. Without a limit, one task could use all the memory of the process. */
const heapMbMax = 256;

/** Threads of an idle process end after this time, because each takes about 30 MB. A new thread is ready after some 200 ms. */
const idleMs = 60_000;

/** Ends when a thread is ready for a task. */
const readyTask = 'platform/compute/ready-task';

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

/** Threads run JavaScript only. If this file runs as TypeScript, as in tests, the build is in `dist`. `npm test` updates it first. */
const builtRoot = path.join(__dirname, '..', '..', path.extname(__filename) === '.ts' ? 'dist' : '.');

/**
 * Opens a pool. `module`: the path of the module with the functions from the root, such as `api/flows/compute/flow-tasks`. A tenant has at
 * most one running task, so no tenant occupies all threads. Threads get no environment, so no secrets.
 */
export function openComputePool<Functions extends Tasks<Functions>>(
  module: string,
  { deadlineMs, computeMs = deadlineMs, threads = defaultThreads, waitingPerTenantMax = 20 }: ComputeOptions,
): ComputePool<Functions> {
  const fileOf = (name: string) => path.resolve(builtRoot, `${name}.js`);
  const piscina = new Piscina({
    filename: fileOf(module),
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
  /** The tasks without a result. Each controller is aborted when the caller stops waiting. */
  const unfinished = new Set<AbortController>();
  /** Those of them that have a slot and wait for a thread. */
  const waitingForThread = new Set<AbortController>();
  // Without this listener, a thread that cannot start would end the process.
  piscina.on('error', (error: Error) => {
    for (const patience of waitingForThread) patience.abort(error);
  });

  async function waitForThread(patience: AbortController): Promise<void> {
    patience.signal.throwIfAborted();
    waitingForThread.add(patience);
    try {
      // If the caller stops waiting while a thread starts, this thread is ready for the next task. So the signal is not given to the pool,
      // which would kill the thread.
      await Promise.race([piscina.run(undefined, { filename: fileOf(readyTask) }), rejectOnAbort(patience.signal)]);
    } finally {
      waitingForThread.delete(patience);
    }
  }

  async function compute(name: string, input: unknown): Promise<unknown> {
    const kill = AbortSignal.timeout(computeMs);
    try {
      return await piscina.run(input, { name, signal: kill });
    } catch (error) {
      throw kill.aborted ? new ComputeBusy('The task computed for too long.', { cause: error }) : error;
    }
  }

  function runInShare(tenant: string, name: string, input: unknown): Promise<unknown> {
    const release = tasks.take([{ subject: tenant, max: waitingPerTenantMax + 1 }]);
    if (!release) return Promise.reject(new ComputeBusy('The share of the tenant is used up.'));
    const patience = new AbortController();
    unfinished.add(patience);
    const stopWaiting = () => patience.abort(new ComputeBusy('There was no result within the deadline.'));
    const deadline = setTimeout(stopWaiting, deadlineMs);
    const task = queue.take({ tenant }).then(async (giveBack) => {
      let startedAt: number | undefined;
      try {
        await waitForThread(patience);
        startedAt = performance.now();
        return await compute(name, input);
      } finally {
        clearTimeout(deadline);
        unfinished.delete(patience);
        release();
        giveBack(startedAt === undefined ? 0 : restFactor * (performance.now() - startedAt));
      }
    });
    return Promise.race([task, rejectOnAbort(patience.signal)]);
  }

  async function close(): Promise<void> {
    for (const patience of unfinished) patience.abort(new Error('The pool was closed.'));
    await piscina.destroy();
  }

  return { run: runInShare as ComputePool<Functions>['run'], close };
}
