import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, makeDataFolder, readLastLines } from './data-folder';
import { portInUseAdvice, assertPortsAreFree } from './free-port';
import { assignInternalPorts } from './internal-ports';
import { type ProcessExit, SupervisedProcess } from './supervised-process';
import { loadLocalSecrets } from './local-secrets';
import { type InternalPorts, nodeComponents } from './node-components';
import type { Component, ComponentName } from './component';
import { choosePostgresDir, postgresComponent } from './postgres-component';
import { type Claim, claimDataFolder } from './running-stack';
import { isExternal, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { temporalComponent } from './temporal-component';
import { startWatchdog, type Watchdog } from './watchdog';

/** The first start creates and migrates a database and warms a worker: 10 s on a laptop, more on a busy machine. */
const readyWithinMs = 120_000;
/** A component that exits this often before it is ready will not start. */
const failuresMax = 3;

/** Starts the components of one stack in order, keeps them running, and stops them in reverse order. */
export class Supervisor {
  private processes = new Map<ComponentName, SupervisedProcess>();
  private watchdog: Watchdog | undefined;
  private claim: Claim | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: StackSettings,
    private readonly print: (line: string) => void,
  ) {}

  /** Resolves when all components are ready. If one cannot start, stops the others and throws StackError. */
  async start(): Promise<void> {
    const { settings } = this;
    makeDataFolder(settings.dataDir);
    this.claim = await claimDataFolder(settings.dataDir, settings.ports, this.print);
    try {
      const { postgres, temporal, temporalUi, inbox, smtp, ...rest } = settings.ports;
      await assertPortsAreFree({
        ...rest,
        ...(!isExternal.postgres(settings) && { postgres }),
        ...(!isExternal.temporal(settings) && { temporal, temporalUi }),
        ...(!isExternal.inbox(settings) && { inbox, smtp }),
      });
      const components = this.createComponents(await assignInternalPorts(settings));
      this.watchdog = startWatchdog(dataFolder(settings.dataDir).runDir);
      for (const component of components) this.processes.set(component.name, this.supervise(component));
      await this.startInOrder(components);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Starts one component; resolves when it is ready. */
  async startComponent(name: ComponentName): Promise<void> {
    const supervised = this.find(name);
    if (this.stopping) return;
    await supervised.start();
    await this.waitUntilReady(supervised);
  }

  /** Stops one component and leaves it stopped. */
  async stopComponent(name: ComponentName): Promise<void> {
    await this.find(name).stop();
  }

  /** Stops everything, last started first. Safe to call at any time, more than once. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Kills all processes at once. */
  killNow(): void {
    for (const supervised of this.processes.values()) supervised.killNow();
  }

  private pids(): Partial<Record<ComponentName, number>> {
    const running = [...this.processes].filter(([, supervised]) => supervised.pid !== undefined);
    return Object.fromEntries(running.map(([name, supervised]) => [name, supervised.pid]));
  }

  /** Starts each component when its dependencies are ready. `components` lists dependencies first. */
  private async startInOrder(components: Component[]): Promise<void> {
    const ready = new Map<ComponentName, Promise<void>>();
    for (const { name, dependsOn } of components) {
      const needed = dependsOn.map((earlier) => ready.get(earlier) ?? Promise.resolve());
      ready.set(
        name,
        Promise.all(needed).then(() => this.startComponent(name)),
      );
    }
    await Promise.all(ready.values());
  }

  private async stopAll(): Promise<void> {
    this.record(true);
    const stopped = new Map<ComponentName, Promise<void>>();
    // Dependants stop first; independent components stop in parallel.
    for (const [name, supervised] of [...this.processes].toReversed()) {
      const dependants = [...this.processes.values()].filter(({ component }) => component.dependsOn.includes(name));
      const earlier = dependants.map(({ component }) => stopped.get(component.name) ?? Promise.resolve());
      stopped.set(
        name,
        Promise.all(earlier).then(() => supervised.stop()),
      );
    }
    await Promise.all(stopped.values());
    this.watchdog?.dismiss();
    this.claim?.release();
  }

  private createComponents(internalPorts: InternalPorts): Component[] {
    const { settings } = this;
    const secrets = loadLocalSecrets(settings.dataDir);
    const postgresDir = choosePostgresDir(settings.dataDir);
    if (!isExternal.postgres(settings) && !postgresDir.startsWith(settings.dataDir)) {
      this.print(`The data of Postgres is in ${postgresDir}: its system user cannot enter ${settings.dataDir}`);
    }
    return [
      ...(isExternal.postgres(settings) ? [] : [postgresComponent(settings, secrets)]),
      ...(isExternal.temporal(settings) ? [] : [temporalComponent(settings)]),
      ...nodeComponents(settings, secrets, internalPorts),
    ];
  }

  private supervise(component: Component): SupervisedProcess {
    return new SupervisedProcess(component, this.settings.dataDir, {
      onExit: (_, exit) => this.logExit(component.name, exit),
      onReady: (_, isRestart) => isRestart && this.print(`${component.name} is ready again`),
      onChange: () => this.record(this.stopping !== undefined),
    });
  }

  private record(stopping: boolean): void {
    this.claim?.record(Object.values(this.pids()), stopping);
  }

  private find(name: ComponentName): SupervisedProcess {
    const supervised = this.processes.get(name);
    if (!supervised) throw new StackError(`The ${name} is not part of this stack.`);
    return supervised;
  }

  private logExit(name: ComponentName, { reason, failures, restartInMs }: ProcessExit): void {
    const log = dataFolder(this.settings.dataDir).logFile(name);
    if (failures < failuresMax) this.print(`${name} exited (${reason}); restarting it`);
    else
      this.print(
        `${name} exited ${failures} times before it was ready (${reason}); next attempt in ${restartInMs / 1_000} s. See ${log}`,
      );
  }

  private async waitUntilReady(supervised: SupervisedProcess): Promise<void> {
    const deadline = Date.now() + readyWithinMs;
    const { name } = supervised.component;
    const log = dataFolder(this.settings.dataDir).logFile(name);
    while (!supervised.isReady && !this.stopping) {
      const gaveUp = supervised.failuresInARow >= failuresMax;
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
