import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Component, ComponentName } from './component';
import { dataPaths, makeDataFolder, readLastLines, StackError, writeJson } from './data-folder';
import { type DataFolderLock, lockDataFolder } from './data-folder-lock';
import { assertPortsAreFree, findFreePort } from './free-port';
import { loadLocalSecrets, type RunningStack } from './local-secrets';
import { nodeComponents } from './node-components';
import { postgresComponent } from './postgres-component';
import { registerInbox } from './register-inbox';
import { requestToken } from './request-token';
import {
  isExternal,
  portVariables,
  postgresAddress,
  readStackSettings,
  type StackPorts,
  type StackSettings,
} from './settings';
import { type ProcessExit, SupervisedProcess } from './supervised-process';
import { temporalComponent } from './temporal-component';

/**
 * Time for a component to become ready. The first start creates a database and loads a worker: 10 s on a laptop, more on a busy machine.
 */
const readyWithinMs = 120_000;
/** After this time, and then each time, a component that is not ready yet shows why: the last line of its log. Most are ready earlier. */
const noticeEveryMs = 15_000;
/** If a component exits this many times in a row before it is ready, its start has failed. */
const failuresMax = 3;
/** Time for the processes of a killed stack to end. Postgres takes the longest, at most 5 s. */
const leftoversEndMs = 10_000;

/**
 * Each row starts when the rows before it are ready, and stops before them. When the API is ready, users expect that the whole service
 * works, so the API is last.
 */
const startOrder: readonly ComponentName[][] = [['postgres', 'temporal', 'inbox'], ['worker'], ['api']];

/** The options of a stack. */
export interface StackOptions {
  dataDir?: string | undefined;
  /** A port that is missing here has its default. */
  ports?: Partial<StackPorts>;
  /** Variables that are added to those of this process. */
  env?: NodeJS.ProcessEnv;
  /** Compiled scripts that replace those of this repository, by component. */
  scripts?: StackSettings['scripts'];
  /** Shows a line to the user. */
  print?: (line: string) => void;
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

const localUrl = (port: number) => `http://127.0.0.1:${port}`;

/** A local stack: starts its components in order, keeps them running, and stops them in reverse order. All end with this process. */
export class Stack {
  readonly settings: StackSettings;
  private readonly processes = new Map<ComponentName, SupervisedProcess>();
  private readonly print: (line: string) => void;
  private lock: DataFolderLock | undefined;
  private stopping: Promise<void> | undefined;

  constructor({ dataDir, ports = {}, env = {}, scripts, print = () => undefined }: StackOptions) {
    const portEnvironment = Object.entries(ports).map(([name, port]) => [
      portVariables[name as keyof StackPorts],
      String(port),
    ]);
    const environment = {
      ...process.env,
      ...env,
      ...(dataDir && { DATA_DIR: dataDir }),
      ...Object.fromEntries(portEnvironment),
    };
    this.settings = readStackSettings(findRoot(__dirname), environment as NodeJS.ProcessEnv, scripts);
    this.print = print;
  }

  get dataDir(): string {
    return this.settings.dataDir;
  }

  get addresses(): Record<'api' | 'inbox' | 'temporal' | 'temporalUi' | 'postgres', string> {
    const { api, inbox, temporal, temporalUi, postgres } = this.settings.ports;
    return {
      api: localUrl(api),
      inbox: localUrl(inbox),
      temporal: `127.0.0.1:${temporal}`,
      temporalUi: localUrl(temporalUi),
      postgres: postgresAddress(postgres, loadLocalSecrets(this.dataDir).postgresPassword),
    };
  }

  get isStopping(): boolean {
    return this.stopping !== undefined;
  }

  /** Resolves when all components are ready, or when stopAll() was called. If one cannot start, stops the others and throws StackError. */
  async startAll(): Promise<void> {
    try {
      await this.startInOrder();
    } catch (error) {
      await this.stopAll();
      throw error;
    }
  }

  /** Starts one component; resolves when it is ready. */
  async start(name: ComponentName): Promise<void> {
    const supervised = this.findProcess(name);
    if (this.stopping) return;
    supervised.start();
    const log = dataPaths(this.dataDir).logFile(name);
    const deadline = Date.now() + readyWithinMs;
    for (let noticeAtMs = Date.now() + noticeEveryMs; !supervised.isReady && !this.stopping; await sleep(20)) {
      const gaveUp = supervised.failuresInARow >= failuresMax;
      if (gaveUp || Date.now() > deadline) {
        const reason = gaveUp
          ? `exits before it is ready (${supervised.exitReason})`
          : `is not ready after ${readyWithinMs / 1_000} s`;
        const lines = readLastLines(log, 6);
        throw new StackError(`${lines}\nThe ${name} ${reason}. The lines above are the end of ${log}.`);
      }
      if (Date.now() <= noticeAtMs) continue;
      noticeAtMs += noticeEveryMs;
      this.print(`${name} is not ready yet: ${messageOf(readLastLines(log, 1)) || 'its log is empty.'} See ${log}`);
    }
  }

  /** Stops one component and leaves it stopped. It is killed if it takes longer than `withinMs`. */
  stop(name: ComponentName, withinMs?: number): Promise<void> {
    return this.findProcess(name).stop(withinMs);
  }

  /** Stops everything, last started first. It may be called at any time and more than once. */
  stopAll(): Promise<void> {
    this.stopping ??= this.stopInOrder();
    return this.stopping;
  }

  /** Kills one component with SIGKILL; the stack restarts it. Returns the killed process id. */
  kill(name: ComponentName): number {
    const { pid } = this.findProcess(name);
    if (!pid) throw new StackError(`The ${name} is not running.`);
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  pids(): Partial<Record<ComponentName, number>> {
    const running = [...this.processes].filter(([, { pid }]) => pid !== undefined);
    return Object.fromEntries(running.map(([name, { pid }]) => [name, pid]));
  }

  token(tenant?: string, scopes?: string[]): Promise<string> {
    return requestToken({ dataDir: this.dataDir, port: this.settings.ports.api, tenant, scopes });
  }

  private async startInOrder(): Promise<void> {
    const { settings, dataDir } = this;
    const { ports } = settings;
    const { runningFile } = dataPaths(dataDir);
    makeDataFolder(dataDir);
    this.lock = await lockDataFolder(dataDir, ports.api, this.print);
    const { postgres, temporal, temporalUi, inbox, smtp, ...otherPorts } = ports;
    const usedPorts = {
      ...otherPorts,
      ...(!isExternal.postgres(settings) && { postgres }),
      ...(!isExternal.temporal(settings) && { temporal, temporalUi }),
      ...(!isExternal.inbox(settings) && { inbox, smtp }),
    };
    // If an earlier stack was killed, its file is still here, and its processes may take a moment to end.
    await assertPortsAreFree(usedPorts, existsSync(runningFile) ? leftoversEndMs : 0);
    const components = await this.createComponents();
    if (this.stopping) return this.release();
    for (const component of components) this.processes.set(component.name, this.supervise(component));
    writeJson(runningFile, { pid: process.pid, ports } satisfies RunningStack);
    for (const row of startOrder) await this.forRow(row, ({ component }) => this.start(component.name));
    if (this.stopping) return;
    await registerInbox(settings).catch((error: unknown) =>
      this.print(`The inbox does not get the events of notify steps: ${(error as Error).message}`),
    );
  }

  private async createComponents(): Promise<Component[]> {
    const { settings } = this;
    const secrets = loadLocalSecrets(this.dataDir);
    return [
      ...(isExternal.postgres(settings) ? [] : [postgresComponent(settings, secrets)]),
      ...(isExternal.temporal(settings) ? [] : [temporalComponent(settings)]),
      ...nodeComponents(settings, secrets, {
        smtp: settings.ports.smtp ?? (await findFreePort()),
        workerHealth: await findFreePort(),
      }),
    ];
  }

  private async stopInOrder(): Promise<void> {
    this.lock?.announceStop();
    for (const row of startOrder.toReversed()) await this.forRow(row, (supervised) => supervised.stop());
    this.release();
  }

  private release(): void {
    if (!this.lock) return;
    rmSync(dataPaths(this.dataDir).runningFile, { force: true });
    this.lock.release();
    this.lock = undefined;
  }

  private supervise(component: Component): SupervisedProcess {
    const { name } = component;
    const log = dataPaths(this.dataDir).logFile(name);
    let hasExited = false;
    const onExit = ({ reason, failures, restartInMs }: ProcessExit) => {
      hasExited = true;
      this.print(
        failures < failuresMax
          ? `${name} exited (${reason}); restarting it`
          : `${name} exited ${failures} times before it was ready (${reason}); next attempt in ${restartInMs / 1_000} s. See ${log}`,
      );
    };
    const onReady = () => {
      if (hasExited) this.print(`${name} is ready again`);
      hasExited = false;
    };
    return new SupervisedProcess(component, this.dataDir, onExit, onReady);
  }

  private async forRow(
    row: readonly ComponentName[],
    action: (one: SupervisedProcess) => Promise<void>,
  ): Promise<void> {
    await Promise.all(row.flatMap((name) => this.processes.get(name) ?? []).map(action));
  }

  private findProcess(name: ComponentName): SupervisedProcess {
    const supervised = this.processes.get(name);
    if (!supervised) throw new StackError(`The ${name} is not part of this stack.`);
    return supervised;
  }
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

/** Starts a whole stack from the build. Resolves when all components are ready. Throws StackError if one cannot start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stack = new Stack(options);
  await stack.startAll();
  return stack;
}
