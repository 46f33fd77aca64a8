import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths, makeDataFolder, readLastLines } from './data-folder';
import { portInUseAdvice, assertPortsAreFree } from './free-port';
import { assignInternalPorts } from './internal-ports';
import { type ProcessExit, SupervisedProcess } from './supervised-process';
import { loadLocalSecrets } from './local-secrets';
import { type InternalPorts, nodeComponents } from './node-components';
import type { Component, ComponentName } from './component';
import { choosePostgresDir, postgresComponent } from './postgres-component';
import { type DataFolderLock, lockDataFolder } from './running-stack';
import { isExternal, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { temporalComponent } from './temporal-component';
import { startWatchdog, type Watchdog } from './watchdog';

/**
 * Time for a component to become ready. The first start creates a database and loads a worker: 10 s on a laptop, more on a busy machine.
 */
const readyWithinMs = 120_000;
/** After this time, and then each time, a component that is not ready yet shows why: the last line of its log. Most are ready earlier. */
const noticeEveryMs = 15_000;
/** If a component exits this many times in a row before it is ready, its start has failed. */
const failuresMax = 3;

/** Starts the components of one stack in order, keeps them running, and stops them in reverse order. */
export class Supervisor {
  private processes = new Map<ComponentName, SupervisedProcess>();
  private watchdog: Watchdog | undefined;
  private dataFolderLock: DataFolderLock | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly settings: StackSettings,
    private readonly print: (line: string) => void,
  ) {}

  /** Starts all components. Resolves when all are ready. If one component cannot start, stops the others and throws StackError. */
  async start(): Promise<void> {
    const { settings } = this;
    makeDataFolder(settings.dataDir);
    this.dataFolderLock = await lockDataFolder(settings.dataDir, settings.ports, this.print);
    try {
      const { postgres, temporal, temporalUi, inbox, smtp, ...otherPorts } = settings.ports;
      await assertPortsAreFree({
        ...otherPorts,
        ...(!isExternal.postgres(settings) && { postgres }),
        ...(!isExternal.temporal(settings) && { temporal, temporalUi }),
        ...(!isExternal.inbox(settings) && { inbox, smtp }),
      });
      const components = this.createComponents(await assignInternalPorts(settings));
      this.watchdog = startWatchdog(dataPaths(settings.dataDir).runDir);
      for (const component of components) this.processes.set(component.name, this.supervise(component));
      await this.startInOrder(components);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Starts one component; resolves when it is ready. */
  async startComponent(name: ComponentName): Promise<void> {
    const supervisedProcess = this.findProcess(name);
    if (this.stopping) return;
    await supervisedProcess.start();
    await this.waitUntilReady(supervisedProcess);
  }

  /** Stops one component and leaves it stopped. */
  async stopComponent(name: ComponentName): Promise<void> {
    await this.findProcess(name).stop();
  }

  /** Stops everything, last started first. It may be called at any time and more than once. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Kills all processes at once. */
  killNow(): void {
    for (const supervisedProcess of this.processes.values()) supervisedProcess.killNow();
  }

  private pids(): Partial<Record<ComponentName, number>> {
    const running = [...this.processes].filter(([, supervised]) => supervised.pid !== undefined);
    return Object.fromEntries(running.map(([name, supervised]) => [name, supervised.pid]));
  }

  /** Starts each component when its dependencies are ready. `components` lists dependencies first. */
  private async startInOrder(components: Component[]): Promise<void> {
    const readyPromises = new Map<ComponentName, Promise<void>>();
    for (const { name, dependsOn } of components) {
      const dependencies = dependsOn.map((earlier) => readyPromises.get(earlier) ?? Promise.resolve());
      readyPromises.set(
        name,
        Promise.all(dependencies).then(() => this.startComponent(name)),
      );
    }
    await Promise.all(readyPromises.values());
  }

  private async stopAll(): Promise<void> {
    this.saveProcesses(true);
    const stopPromises = new Map<ComponentName, Promise<void>>();
    // Dependants stop first; independent components stop in parallel.
    for (const [name, supervisedProcess] of [...this.processes].toReversed()) {
      const dependants = [...this.processes.values()].filter(({ component }) => component.dependsOn.includes(name));
      const dependantStops = dependants.map(({ component }) => stopPromises.get(component.name) ?? Promise.resolve());
      stopPromises.set(
        name,
        Promise.all(dependantStops).then(() => supervisedProcess.stop()),
      );
    }
    await Promise.all(stopPromises.values());
    this.watchdog?.stop();
    this.dataFolderLock?.release();
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
      onChange: () => this.saveProcesses(this.stopping !== undefined),
    });
  }

  private saveProcesses(stopping: boolean): void {
    this.dataFolderLock?.saveProcesses(Object.values(this.pids()), stopping);
  }

  private findProcess(name: ComponentName): SupervisedProcess {
    const supervisedProcess = this.processes.get(name);
    if (!supervisedProcess) throw new StackError(`The ${name} is not part of this stack.`);
    return supervisedProcess;
  }

  private logExit(name: ComponentName, { reason, failures, restartInMs }: ProcessExit): void {
    const log = dataPaths(this.settings.dataDir).logFile(name);
    if (failures < failuresMax) this.print(`${name} exited (${reason}); restarting it`);
    else
      this.print(
        `${name} exited ${failures} times before it was ready (${reason}); next attempt in ${restartInMs / 1_000} s. See ${log}`,
      );
  }

  private async waitUntilReady(supervisedProcess: SupervisedProcess): Promise<void> {
    const deadline = Date.now() + readyWithinMs;
    let noticeAtMs = Date.now() + noticeEveryMs;
    const { name } = supervisedProcess.component;
    const log = dataPaths(this.settings.dataDir).logFile(name);
    while (!supervisedProcess.isReady && !this.stopping) {
      const gaveUp = supervisedProcess.failuresInARow >= failuresMax;
      if (gaveUp || Date.now() > deadline) {
        const reason = gaveUp ? 'exits before it is ready' : `is not ready after ${readyWithinMs / 1_000} s`;
        const lines = readLastLines(log, 6);
        const advice = portInUseAdvice(lines, this.settings.ports);
        const message = `${lines}\nThe ${name} ${reason}. The lines above are the end of ${log}.`;
        throw new StackError(advice ? `${message}\n${advice}` : message);
      }
      if (Date.now() > noticeAtMs) {
        noticeAtMs += noticeEveryMs;
        this.print(waitingNotice(name, log));
      }
      await sleep(20);
    }
  }
}

/** The line for a component that is not ready yet: the message of the last line of its log, or the line itself if it is not JSON. */
function waitingNotice(name: ComponentName, log: string): string {
  const line = readLastLines(log, 1);
  return `${name} is not ready yet: ${messageOf(line) || 'its log is empty.'} See ${log}`;
}

/** The text of a line of a log. The processes of the service write JSON. */
function messageOf(line: string): string {
  try {
    const { part, msg, failure } = JSON.parse(line) as Record<string, unknown>;
    return [part, msg, failure].filter((text) => typeof text === 'string').join(': ');
  } catch {
    return line;
  }
}
