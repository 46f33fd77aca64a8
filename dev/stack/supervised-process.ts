import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnBound } from './bound-program';
import type { Component } from './component';
import { dataPaths, openLog, readLastLines, StackError } from './data-folder';

/**
 * Pauses before a restart. A process that was ready restarts at once. Each exit before the process is ready makes the next pause longer.
 */
const restartPausesMs = [0, 250, 500, 1_000, 2_000, 5_000, 10_000];
/** Interval of readiness checks. */
const pollMs = 50;
/**
 * Time for a process to become ready. The first start creates a database and loads a worker: 10 s on a laptop, more on a busy machine.
 */
const readyWithinMs = 120_000;
/** After this time, and then each time, a process that is not ready yet shows why: the last line of its log. Most are ready earlier. */
const noticeEveryMs = 15_000;
/** If a process exits this many times in a row before it is ready, its start has failed. */
const failuresMax = 3;

/** The text of a line of a log. The processes of the service write JSON. */
function messageOf(line: string): string {
  try {
    const { part, msg, failure } = JSON.parse(line) as Record<string, unknown>;
    return [part, msg, failure].filter((text) => typeof text === 'string').join(': ');
  } catch {
    return line;
  }
}

/** One process of the stack. From start() to stop() it is restarted whenever it exits. It ends with this process. */
export class SupervisedProcess {
  private child: ChildProcess | undefined;
  private run: AbortController | undefined;
  private ended: Promise<void> = Promise.resolve();
  private isReady = false;
  private failures = 0;
  private exitReason = '';

  constructor(
    private readonly component: Component<string>,
    private readonly dataDir: string,
    private readonly print: (line: string) => void,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Resolves when the process is ready, or when it was stopped. Throws StackError if it does not become ready. */
  async start(): Promise<void> {
    if (!this.run) {
      this.run = new AbortController();
      this.failures = 0;
      this.ended = this.keepRunning(this.run.signal);
    }
    const { name } = this.component;
    const deadlineMs = Date.now() + readyWithinMs;
    for (let noticeAtMs = Date.now() + noticeEveryMs; this.run && !this.isReady; await sleep(20)) {
      const gaveUp = this.failures >= failuresMax;
      if (gaveUp || Date.now() > deadlineMs) {
        const reason = gaveUp ? `exits before it is ready (${this.exitReason})` : `is not ready in ${readyWithinMs} ms`;
        const lines = readLastLines(this.log, 6);
        throw new StackError(`${lines}\nThe ${name} ${reason}. The lines above are the end of ${this.log}.`);
      }
      if (Date.now() <= noticeAtMs) continue;
      noticeAtMs += noticeEveryMs;
      const line = messageOf(readLastLines(this.log, 1)) || 'its log is empty.';
      this.print(`${name} is not ready yet: ${line} See ${this.log}`);
    }
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

  private get log(): string {
    return dataPaths(this.dataDir).logFile(this.component.name);
  }

  private async keepRunning(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.exitReason = await this.runOnce(signal).catch((error: Error) => error.message);
      this.failures = this.isReady ? 0 : this.failures + 1;
      this.isReady = false;
      if (signal.aborted) return;
      const pauseMs = restartPausesMs[this.failures] ?? restartPausesMs.at(-1) ?? 0;
      this.print(`${this.component.name} exited (${this.exitReason}). Restart in ${pauseMs} ms. See ${this.log}`);
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Runs the process until it ends. Returns why it ended. */
  private async runOnce(signal: AbortSignal): Promise<string> {
    const { component } = this;
    await component.prepare?.();
    if (signal.aborted) return 'stopped';
    const { file, args, environment: env } = component.command();
    const output = openLog(this.log);
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
    while (this.child === child && !this.isReady) {
      const isReady = await this.component.isReady().catch(() => false);
      if (this.child !== child) return;
      this.isReady = isReady;
      if (!isReady) await sleep(pollMs);
    }
  }
}
