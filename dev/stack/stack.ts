import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dataPaths, makeDataFolder, openLog } from './data-folder';
import { loadLocalSecrets } from './local-secrets';
import { type ComponentName, componentNames } from './component';
import { requestToken } from './request-token';
import { portVariables, postgresAddress, type StackPorts, type StackSettings } from './settings';
import { StackError } from './stack-error';
import type { MessageFromSupervisor, MessageToSupervisor } from './main';

/** The options of a stack for tests and benches. */
export interface StackOptions {
  /** A port that is missing here has its default. */
  ports?: Partial<StackPorts>;
  dataDir: string;
  env?: NodeJS.ProcessEnv;
  /** Compiled scripts that replace those of this repository, by component. */
  scripts?: StackSettings['scripts'];
}

/** A running stack under test. */
export interface Stack {
  addresses: { api: string; inbox: string; temporal: string; temporalUi: string; postgres: string };
  dataDir: string;
  /** Process id of the supervisor, which leads the process group. */
  supervisorPid: number;
  token(tenant?: string, scopes?: string[]): Promise<string>;
  pids(): Partial<Record<ComponentName, number>>;
  /** Kills one component with SIGKILL; the supervisor restarts it. Returns the killed process id. */
  kill(name: ComponentName): number;
  /** Stops one component and leaves it stopped. */
  stop(name: ComponentName): Promise<void>;
  /** Starts a stopped component; resolves when it is ready. */
  start(name: ComponentName): Promise<void>;
  stopAll(): Promise<void>;
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

function readPids(dataDir: string): Partial<Record<ComponentName, number>> {
  const read = (name: ComponentName): number | undefined => {
    const file = dataPaths(dataDir).pidFile(name);
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  };
  return Object.fromEntries(componentNames.map((name) => [name, read(name)]).filter(([, pid]) => pid !== undefined));
}

function forkSupervisor(root: string, dataDir: string): ChildProcess {
  makeDataFolder(dataDir);
  const log = openLog(dataPaths(dataDir).logFile('supervisor'));
  return fork(join(root, 'dev', 'supervisor.mjs'), [], {
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
    execArgv: [],
  });
}

/**
 * Starts a whole stack from the build, as `npm start` does. Resolves when all components are ready. Throws StackError if one cannot start.
 */
export async function startStack({ ports = {}, dataDir, env = {}, scripts }: StackOptions): Promise<Stack> {
  const child = forkSupervisor(findRoot(__dirname), dataDir);
  const supervisorExit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const pendingCalls = new Map<number, (message: string | undefined) => void>();
  const readyPorts = new Promise<StackPorts>((resolve, reject) => {
    child.on('message', (message: MessageFromSupervisor) => {
      if (message.type === 'ready') resolve(message.ports);
      else if (message.type === 'failed') reject(new StackError(message.message));
      else pendingCalls.get(message.id)?.(message.message);
    });
    child.once('exit', () =>
      reject(new StackError(`The supervisor ended. See ${dataPaths(dataDir).logFile('supervisor')}`)),
    );
  });
  const send = (message: MessageToSupervisor) => void (child.connected && child.send(message));

  const environment: NodeJS.ProcessEnv = { ...env, DATA_DIR: dataDir };
  for (const [name, port] of Object.entries(ports)) environment[portVariables[name as keyof StackPorts]] = String(port);
  send({ type: 'start', environment, ...(scripts && { scripts }) });
  const boundPorts = await readyPorts;

  let lastCallId = 0;
  const changeComponent = async (type: 'startComponent' | 'stopComponent', name: ComponentName) => {
    const id = (lastCallId += 1);
    const message = await new Promise<string | undefined>((resolve) => {
      pendingCalls.set(id, resolve);
      send({ type, id, name });
      void supervisorExit.then(() => resolve('The supervisor has ended.'));
    });
    pendingCalls.delete(id);
    if (message) throw new StackError(message);
  };
  const localUrl = (port: number) => `http://127.0.0.1:${port}`;
  return {
    addresses: {
      api: localUrl(boundPorts.api),
      inbox: localUrl(boundPorts.inbox),
      temporal: `127.0.0.1:${boundPorts.temporal}`,
      temporalUi: localUrl(boundPorts.temporalUi),
      postgres: postgresAddress(boundPorts.postgres, loadLocalSecrets(dataDir).postgresPassword),
    },
    dataDir,
    supervisorPid: child.pid ?? 0,
    token: (tenant, scopes) => requestToken({ dataDir, port: boundPorts.api, tenant, scopes }),
    pids: () => readPids(dataDir),
    kill: (name) => {
      const pid = readPids(dataDir)[name];
      if (!pid) throw new StackError(`The ${name} is not running.`);
      process.kill(pid, 'SIGKILL');
      return pid;
    },
    stop: (name) => changeComponent('stopComponent', name),
    start: (name) => changeComponent('startComponent', name),
    stopAll: async () => {
      send({ type: 'stop' });
      await supervisorExit;
    },
  };
}
