import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ComputeOptions, type ComputePool, openComputePool } from '../../../platform/compute/compute-pool';

/** Functions for the threads of a pool. Threads run JavaScript, so this is the text of a module. */
const source = `
exports.describeThread = () => ({ isMainThread: require('node:worker_threads').isMainThread, environment: { ...process.env } });
exports.double = (number) => 2 * number;
exports.spin = (ms) => { const startedAt = Date.now(); while (Date.now() < startedAt + ms); return { startedAt, endedAt: Date.now() }; };
exports.fail = (text) => { throw new Error(text); };
exports.count = (shared) => { const counter = new Int32Array(shared); for (;;) Atomics.add(counter, 0, 1); };
exports.checkText = exports.readBody = exports.checkSaved = exports.draw = exports.chooseRule = () => { for (;;); };
exports.allocate = () => { const kept = []; for (;;) kept.push(new Array(1_000_000).fill({})); };
`;

/**
 * The text of a module whose thread takes half a second to start, and half a second to load the ready task, as on a busy machine. Its task
 * takes half a second the first time. `starts` has one character for each start.
 */
const slowSource = `
const wait = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };
require('node:fs').appendFileSync(require('node:path').join(__dirname, 'starts'), '.');
wait(500);
const extensions = require('node:module')._extensions;
const load = extensions['.js'];
extensions['.js'] = (module, file) => { if (file.endsWith('ready-task.js')) wait(500); load(module, file); };
let isWarm = false;
exports.double = (number) => { if (!isWarm) wait(500); isWarm = true; return 2 * number; };
`;

/**
 * The functions in `source`. `spin` computes for so many milliseconds. `count` never ends: it increases a shared number. `allocate` uses
 * more memory than there is. The functions with the names of real tasks never end either.
 */
export interface HostileTasks {
  describeThread: (input: null) => { isMainThread: boolean; environment: Record<string, string> };
  double: (input: number) => number;
  spin: (input: number) => { startedAt: number; endedAt: number };
  fail: (input: string) => never;
  count: (input: SharedArrayBuffer) => never;
  allocate: (input: null) => never;
}

/** Opens pools whose tasks can compute without end. */
export class HostilePools {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'countersign-compute-'));
  readonly #pools: ComputePool<HostileTasks>[] = [];

  open(options: ComputeOptions): ComputePool<HostileTasks> {
    return this.#open('tasks', source, options);
  }

  /** A pool with the task `double` of `slowSource`, and how many threads it has started. */
  openSlow(options: ComputeOptions): { pool: ComputePool<HostileTasks>; startedThreads: () => number } {
    const starts = path.join(this.#folder, 'starts');
    rmSync(starts, { force: true });
    return { pool: this.#open('slow', slowSource, options), startedThreads: () => readFileSync(starts, 'utf8').length };
  }

  /** A pool whose threads cannot start until `repair` is called. */
  openBroken(options: ComputeOptions): { pool: ComputePool<HostileTasks>; repair: () => void } {
    const pool = this.#open('broken', "throw new Error('no thread can start');", options);
    return { pool, repair: () => writeFileSync(path.join(this.#folder, 'broken.js'), source) };
  }

  #open(name: string, text: string, options: ComputeOptions): ComputePool<HostileTasks> {
    writeFileSync(path.join(this.#folder, `${name}.js`), text);
    const pool = openComputePool<HostileTasks>(path.join(this.#folder, name), options);
    this.#pools.push(pool);
    return pool;
  }

  async close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.close()));
    rmSync(this.#folder, { recursive: true });
  }
}

/** A number that a task increases while it runs. */
export class SharedCounter {
  readonly shared = new SharedArrayBuffer(4);
  readonly #view = new Int32Array(this.shared);

  get value(): number {
    return Atomics.load(this.#view, 0);
  }

  /** Resolves when a task increases the number. */
  async started(): Promise<void> {
    while (this.value === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
