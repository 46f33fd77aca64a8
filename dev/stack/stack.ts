import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ComponentName } from './component';
import { dataPaths, makeDataFolder, StackError, writeJson } from './data-folder';
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
import { SupervisedProcess } from './supervised-process';
import { temporalComponent } from './temporal-component';

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
    const environment: NodeJS.ProcessEnv = { ...process.env, ...env, ...(dataDir && { DATA_DIR: dataDir }) };
    for (const [name, port] of Object.entries(ports))
      environment[portVariables[name as keyof StackPorts]] = String(port);
    this.settings = readStackSettings(findRoot(__dirname), environment, scripts);
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
  start(name: ComponentName): Promise<void> {
    return this.findProcess(name).start();
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
    const secrets = loadLocalSecrets(dataDir);
    const internalPorts = { smtp: smtp ?? (await findFreePort()), workerHealth: await findFreePort() };
    const components = [
      ...(isExternal.postgres(settings) ? [] : [postgresComponent(settings, secrets)]),
      ...(isExternal.temporal(settings) ? [] : [temporalComponent(settings)]),
      ...nodeComponents(settings, secrets, internalPorts),
    ];
    if (this.stopping) return this.release();
    for (const component of components)
      this.processes.set(component.name, new SupervisedProcess(component, dataDir, this.print));
    writeJson(runningFile, { pid: process.pid, ports } satisfies RunningStack);
    for (const row of startOrder) {
      if (this.stopping) return;
      await this.forRow(row, (supervised) => supervised.start());
    }
    if (this.stopping) return;
    await registerInbox(settings).catch((error: unknown) =>
      this.print(`The inbox does not get the events of notify steps: ${(error as Error).message}`),
    );
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

/** Starts a whole stack from the build. Resolves when all components are ready. Throws StackError if one cannot start. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stack = new Stack(options);
  await stack.startAll();
  return stack;
}
