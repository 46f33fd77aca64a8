import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths, openLog } from './data-folder';
import type { Component } from './component';

/** How a process exited. `reason`: the signal or the exit code. */
export interface ProcessExit {
  reason: string;
  /** How many times in a row the process exited before it was ready. */
  failures: number;
  restartInMs: number;
}

/** Called when something happens to a process. */
export interface ProcessEvents {
  /** The process exited although nobody stopped it. It restarts after a pause. */
  onExit(component: Component, exit: ProcessExit): void;
  onReady(component: Component, isRestart: boolean): void;
  /** The process started or ended. */
  onChange(): void;
}

/**
 * Pauses before a restart. A process that was ready restarts at once. Each exit before the process is ready makes the next pause longer.
 */
const restartPausesMs = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
/** Interval of readiness checks. */
const pollMs = 50;

/** One process of the stack. From start() to stop() it is restarted whenever it exits. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private shouldRun = false;
  /** Counts the calls of start() and stop(). A restart that was planned before the last call is ignored. */
  private generation = 0;
  private failures = 0;
  private readyChild: ChildProcess | undefined;
  private wasReady = false;
  private exitPromise: Promise<void> = Promise.resolve();

  constructor(
    readonly component: Component,
    private readonly dataDir: string,
    private readonly events: ProcessEvents,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get isReady(): boolean {
    return this.child !== undefined && this.readyChild === this.child;
  }

  get failuresInARow(): number {
    return this.failures;
  }

  async start(): Promise<void> {
    if (this.shouldRun) return;
    this.shouldRun = true;
    this.generation += 1;
    this.failures = 0;
    await this.launch();
  }

  /** Asks the process to stop and kills it after `stopWithinMs`. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.shouldRun = false;
    this.generation += 1;
    const child = this.child;
    if (!child) return this.exitPromise;
    child.kill(this.component.stopSignal);
    const timer = setTimeout(() => child.kill('SIGKILL'), this.component.stopWithinMs);
    await this.exitPromise;
    clearTimeout(timer);
  }

  killNow(): void {
    this.shouldRun = false;
    this.child?.kill('SIGKILL');
  }

  private async launch(): Promise<void> {
    const { generation } = this;
    await this.component.prepare?.();
    if (!this.shouldRun || generation !== this.generation) return;
    const { file, args, environment, user } = this.component.command();
    const log = openLog(dataPaths(this.dataDir).logFile(this.component.name));
    const emptyInput = openSync(process.platform === 'win32' ? 'NUL' : '/dev/null', 'r');
    const child = spawn(file, args, { env: environment, stdio: [emptyInput, log, log], ...user });
    closeSync(log);
    closeSync(emptyInput);
    this.child = child;
    this.exitPromise = new Promise((resolve) => {
      const end = (reason: string) => {
        if (this.child !== child) return;
        const wasReady = this.isReady;
        this.child = undefined;
        this.readyChild = undefined;
        rmSync(dataPaths(this.dataDir).pidFile(this.component.name), { force: true });
        resolve();
        this.events.onChange();
        this.restart(reason, wasReady);
      };
      child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
      child.once('error', (error) => end(error.message));
    });
    if (child.pid) writeFileSync(dataPaths(this.dataDir).pidFile(this.component.name), String(child.pid));
    this.events.onChange();
    void this.pollUntilReady(child);
  }

  private async pollUntilReady(child: ChildProcess): Promise<void> {
    while (this.child === child && this.shouldRun) {
      const ready = await this.component.isReady().catch(() => false);
      if (ready && this.child === child) {
        this.readyChild = child;
        this.failures = 0;
        this.events.onReady(this.component, this.wasReady);
        this.wasReady = true;
        return;
      }
      await sleep(pollMs);
    }
  }

  /** Restarts after a pause. `wasReady`: whether the process that ended was ready. A start that failed was not. */
  private restart(reason: string, wasReady: boolean): void {
    if (!this.shouldRun) return;
    if (!wasReady) this.failures += 1;
    const restartInMs = restartPausesMs[Math.min(this.failures, restartPausesMs.length - 1)] ?? 0;
    this.events.onExit(this.component, { reason, failures: this.failures, restartInMs });
    const { generation } = this;
    setTimeout(() => {
      if (!this.shouldRun || generation !== this.generation || this.child) return;
      this.launch().catch((error: unknown) => this.restart(String(error), false));
    }, restartInMs);
  }
}
