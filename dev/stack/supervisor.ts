import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, makeDataFolder, readLastLines } from './data-folder';
import { portInUseAdvice, assertPortsAreFree } from './free-port';
import { assignInternalPorts } from './internal-ports';
import { type ProcessExit, SupervisedProcess } from './supervised-process';
import { loadLocalSecrets } from './local-secrets';
import { type InternalPorts, nodeParts } from './node-parts';
import type { Part, PartName } from './part';
import { choosePostgresDir, postgresPart } from './postgres-part';
import { type Claim, claimDataFolder } from './running-stack';
import { isElsewhere, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { temporalPart } from './temporal-part';
import { startWatchdog, type Watchdog } from './watchdog';

/** The first start creates and migrates a database and warms a worker: 10 s on a laptop, more on a busy machine. */
const readyWithinMs = 120_000;
/** A part that exits this often before it is ready will not start. */
const failuresMax = 3;

/** Starts the parts of one stack in order, keeps them running, and stops them in reverse order. */
export class Supervisor {
  private processes = new Map<PartName, SupervisedProcess>();
  private watchdog: Watchdog | undefined;
  private claim: Claim | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: StackSettings,
    private readonly print: (line: string) => void,
  ) {}

  /** Resolves when every part is ready. Throws StackError, with nothing left running, when one cannot be. */
  async start(): Promise<void> {
    const { settings } = this;
    makeDataFolder(settings.dataDir);
    this.claim = await claimDataFolder(settings.dataDir, settings.ports, this.print);
    try {
      const { postgres, temporal, temporalUi, inbox, smtp, ...rest } = settings.ports;
      await assertPortsAreFree({
        ...rest,
        ...(!isElsewhere.postgres(settings) && { postgres }),
        ...(!isElsewhere.temporal(settings) && { temporal, temporalUi }),
        ...(!isElsewhere.inbox(settings) && { inbox, smtp }),
      });
      const parts = this.createParts(await assignInternalPorts(settings));
      this.watchdog = startWatchdog(dataFolder(settings.dataDir).runDir);
      for (const part of parts) this.processes.set(part.name, this.supervise(part));
      await this.startInOrder(parts);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Starts one part; resolves when it is ready. */
  async startPart(name: PartName): Promise<void> {
    const kept = this.find(name);
    if (this.stopping) return;
    await kept.start();
    await this.waitUntilReady(kept);
  }

  /** Stops one part and leaves it stopped. */
  async stopPart(name: PartName): Promise<void> {
    await this.find(name).stop();
  }

  /** Stops everything, last started first. Safe to call at any time, more than once. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Kills all processes at once. */
  killNow(): void {
    for (const kept of this.processes.values()) kept.killNow();
  }

  private pids(): Partial<Record<PartName, number>> {
    const running = [...this.processes].filter(([, kept]) => kept.pid !== undefined);
    return Object.fromEntries(running.map(([name, kept]) => [name, kept.pid]));
  }

  /** Starts each part when its dependencies are ready. `parts` lists dependencies first. */
  private async startInOrder(parts: Part[]): Promise<void> {
    const ready = new Map<PartName, Promise<void>>();
    for (const { name, after } of parts) {
      const needed = after.map((earlier) => ready.get(earlier) ?? Promise.resolve());
      ready.set(
        name,
        Promise.all(needed).then(() => this.startPart(name)),
      );
    }
    await Promise.all(ready.values());
  }

  private async stopAll(): Promise<void> {
    this.record(true);
    const stopped = new Map<PartName, Promise<void>>();
    // Dependants stop first; independent parts stop in parallel.
    for (const [name, kept] of [...this.processes].toReversed()) {
      const dependants = [...this.processes.values()].filter(({ part }) => part.after.includes(name));
      const earlier = dependants.map(({ part }) => stopped.get(part.name) ?? Promise.resolve());
      stopped.set(
        name,
        Promise.all(earlier).then(() => kept.stop()),
      );
    }
    await Promise.all(stopped.values());
    this.watchdog?.dismiss();
    this.claim?.release();
  }

  private createParts(inner: InternalPorts): Part[] {
    const { settings } = this;
    const secrets = loadLocalSecrets(settings.dataDir);
    const postgresDir = choosePostgresDir(settings.dataDir);
    if (!isElsewhere.postgres(settings) && !postgresDir.startsWith(settings.dataDir)) {
      this.print(`Postgres keeps its data in ${postgresDir}: its system user cannot enter ${settings.dataDir}`);
    }
    return [
      ...(isElsewhere.postgres(settings) ? [] : [postgresPart(settings, secrets)]),
      ...(isElsewhere.temporal(settings) ? [] : [temporalPart(settings)]),
      ...nodeParts(settings, secrets, inner),
    ];
  }

  private supervise(part: Part): SupervisedProcess {
    return new SupervisedProcess(part, this.settings.dataDir, {
      onExit: (_, death) => this.logExit(part.name, death),
      onReady: (_, again) => again && this.print(`${part.name} is ready again`),
      onChange: () => this.record(this.stopping !== undefined),
    });
  }

  private record(stopping: boolean): void {
    this.claim?.record(Object.values(this.pids()), stopping);
  }

  private find(name: PartName): SupervisedProcess {
    const kept = this.processes.get(name);
    if (!kept) throw new StackError(`The ${name} is not part of this stack.`);
    return kept;
  }

  private logExit(name: PartName, { reason, failures, restartInMs }: ProcessExit): void {
    const log = dataFolder(this.settings.dataDir).logFile(name);
    if (failures < failuresMax) this.print(`${name} exited (${reason}); restarting it`);
    else
      this.print(
        `${name} exited ${failures} times before it was ready (${reason}); next attempt in ${restartInMs / 1_000} s. See ${log}`,
      );
  }

  private async waitUntilReady(kept: SupervisedProcess): Promise<void> {
    const deadline = Date.now() + readyWithinMs;
    const { name } = kept.part;
    const log = dataFolder(this.settings.dataDir).logFile(name);
    while (!kept.isReady && !this.stopping) {
      const gaveUp = kept.failuresInARow >= failuresMax;
      if (gaveUp || Date.now() > deadline) {
        const what = gaveUp ? 'exits before it is ready' : `is not ready after ${readyWithinMs / 1_000} s`;
        const lines = readLastLines(log, 6);
        const advice = portInUseAdvice(lines, this.settings.ports);
        const message = `${lines}\nThe ${name} ${what}. The lines above are the end of ${log}.`;
        throw new StackError(advice ? `${message}\n${advice}` : message);
      }
      await sleep(20);
    }
  }
}
