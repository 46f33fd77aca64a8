import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnBound } from './bound-program';
import type { Component } from './component';
import { dataPaths, openLog } from './data-folder';

/** How a process exited although nobody stopped it. */
export interface ProcessExit {
  /** The signal, the exit code, or the error of the start. */
  reason: string;
  /** How many times in a row the process exited before it was ready. */
  failures: number;
  restartInMs: number;
}

/**
 * Pauses before a restart. A process that was ready restarts at once. Each exit before the process is ready makes the next pause longer.
 */
const restartPausesMs = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
/** Interval of readiness checks. */
const pollMs = 50;

/** One process of the stack. From start() to stop() it is restarted whenever it exits. It ends with this process. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private run: AbortController | undefined;
  private ended: Promise<void> = Promise.resolve();
  isReady = false;
  failuresInARow = 0;
  /** Why the process exited last. */
  exitReason = '';

  constructor(
    readonly component: Component,
    private readonly dataDir: string,
    private readonly onExit: (exit: ProcessExit) => void,
    private readonly onReady: () => void = () => undefined,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    if (this.run) return;
    this.run = new AbortController();
    this.failuresInARow = 0;
    this.ended = this.keepRunning(this.run.signal);
  }

  /** Asks the process to stop and kills it after `withinMs`. Resolves when it has ended. */
  async stop(withinMs = this.component.stopWithinMs): Promise<void> {
    this.run?.abort();
    this.run = undefined;
    const child = this.child;
    child?.kill(this.component.stopSignal);
    const timer = setTimeout(() => child?.kill('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(timer);
  }

  private async keepRunning(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.exitReason = await this.runOnce(signal).catch((error: Error) => error.message);
      const wasReady = this.isReady;
      this.isReady = false;
      if (signal.aborted) return;
      this.failuresInARow = wasReady ? 0 : this.failuresInARow + 1;
      const restartInMs = restartPausesMs[this.failuresInARow] ?? restartPausesMs.at(-1) ?? 0;
      this.onExit({ reason: this.exitReason, failures: this.failuresInARow, restartInMs });
      await sleep(restartInMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs the process until it ends. Returns why it ended. */
  private async runOnce(signal: AbortSignal): Promise<string> {
    const { component, dataDir } = this;
    await component.prepare?.();
    if (signal.aborted) return 'stopped';
    const { file, args, environment: env } = component.command();
    const output = openLog(dataPaths(dataDir).logFile(component.name));
    const { endSignal = 'KILL' } = component;
    const child = spawnBound(file, args, { env, output, endSignal, detached: true });
    closeSync(output);
    this.child = child;
    const exit = new Promise<string>((resolve) => {
      child.once('exit', (code, name) => resolve(name ?? `code ${code}`));
      child.once('error', (error) => resolve(error.message));
    });
    void this.pollUntilReady(child);
    const reason = await exit;
    this.child = undefined;
    return reason;
  }

  private async pollUntilReady(child: ChildProcess): Promise<void> {
    while (this.child === child) {
      const ready = await this.component.isReady().catch(() => false);
      if (this.child !== child) return;
      if (!ready) await sleep(pollMs);
      else {
        this.isReady = true;
        this.failuresInARow = 0;
        return this.onReady();
      }
    }
  }
}
