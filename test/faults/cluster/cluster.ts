import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { Component } from '../../../dev/stack/component';
import { dataPaths, makeDataFolder, StackError } from '../../../dev/stack/data-folder';
import { loadLocalSecrets } from '../../../dev/stack/local-secrets';
import { postgresAddress } from '../../../dev/stack/settings';
import { requestToken } from '../../../dev/stack/request-token';
import { SupervisedProcess } from '../../../dev/stack/supervised-process';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { transactionWorkflowId } from '../../../workflows/contract/ids';
import { phoneOf, tenant } from '../chaos-world';
import { InboxPerson } from '../inbox-person';
import { RetryingCaller } from '../retrying-caller';
import { balancer } from './balancer';
import { Clocks } from './clocks';
import { SmallDisk } from './disks';
import { type ApiName, findClusterPorts, type Ports, temporalNames, workers } from './layout';
import { Network, networkProxy } from './network';
import { createRoles, postgresServer, writeWholeLog } from './postgres-server';
import { imagesFolder, serviceComponents } from './service';
import { createNamespace, createTemporalDatabases, namespace, temporalMember } from './temporal-server';

/** The paths of the programs that dev/install/cluster-programs.mjs installs. */
export interface Programs {
  temporalServer: string;
  temporalSqlTool: string;
  toxiproxy: string;
  haproxy: string;
  faketimeLibrary: string;
}

export interface ClusterOptions {
  root: string;
  dataDir: string;
  programs: Programs;
  /** How many persons will use the cluster. */
  persons: number;
  apis: readonly ApiName[];
  /** The processes whose clocks can step. This needs a little CPU time. */
  clockSteppers: readonly ClockStepper[];
  /** Of the delays of the network. */
  seed: number;
  print: (line: string) => void;
}

/** Longer than the longest fault, with the start of everything that it stopped. A request that fails for longer counts as lost. */
const patienceMs = 240_000;
/** The processes whose clocks faults change. */
export const clockSteppers = ['worker-3', 'api-2'] as const;
export type ClockStepper = (typeof clockSteppers)[number];
/** Room for twice the images of all persons (every tenth sends three, of 0.4 MB each), and twice the largest write-ahead log of Postgres. */
const diskMegabytes = { images: (persons: number) => 64 + Math.ceil(persons / 4), log: 640, sharedMemory: 64 };

/** The production topology on this machine. All processes end with this one. */
export class Cluster {
  readonly network: Network;
  readonly clocks: Clocks;
  readonly imagesDisk: SmallDisk;
  readonly logDisk: SmallDisk;
  readonly stack: { dataDir: string; addresses: { api: string; inbox: string; postgres: string; temporal: string } };
  readonly pool: Pool;
  readonly person: InboxPerson;
  /** How often persons and callers look for progress. Seldom, because the cluster needs the processor. */
  readonly pollEveryMs = 250;
  readonly patienceMs = patienceMs;
  #caller: RetryingCaller | undefined;
  #connection: Connection | undefined;
  #phoneCount = 0;
  #isStopping = false;
  readonly #processes = new Map<string, SupervisedProcess>();

  private constructor(
    private readonly options: ClusterOptions,
    readonly ports: Ports,
  ) {
    const { dataDir, programs } = options;
    const { postgresPassword } = loadLocalSecrets(dataDir);
    this.network = new Network(ports.toxiproxy);
    // Killed processes with libfaketime leave their shared memory behind.
    SmallDisk.mount('/dev/shm', diskMegabytes.sharedMemory);
    this.clocks = new Clocks(programs.faketimeLibrary, join(dataDir, 'clocks'));
    this.imagesDisk = SmallDisk.mount(imagesFolder(dataDir), diskMegabytes.images(options.persons));
    this.logDisk = SmallDisk.mount(join(dataDir, 'postgres-log'), diskMegabytes.log);
    const url = (port: number) => `http://127.0.0.1:${port}`;
    const addresses = {
      api: url(ports.api),
      inbox: url(ports.inbox),
      postgres: postgresAddress(ports.postgres, postgresPassword),
      temporal: `127.0.0.1:${ports.temporal}`,
    };
    this.stack = { dataDir, addresses };
    this.person = new InboxPerson(addresses.inbox, { pollEveryMs: this.pollEveryMs, messageWithinMs: patienceMs });
    this.pool = openPool(addresses.postgres, createLogger('test', 'silent'));
  }

  static async create(options: ClusterOptions): Promise<Cluster> {
    makeDataFolder(options.dataDir);
    return new Cluster(options, await findClusterPorts());
  }

  /** Resolves when the whole service works. Throws StackError if a process does not start. */
  async start(): Promise<void> {
    const { options, ports } = this;
    const { root, dataDir, programs } = options;
    const secrets = loadLocalSecrets(dataDir);
    const password = secrets.postgresPassword;
    const postgres = {
      ...{ root, folder: dataPaths(dataDir).postgresDir, port: ports.postgres, password },
      logDisk: this.logDisk.folder,
    };
    const temporal = {
      ...{ program: programs.temporalServer, sqlTool: programs.temporalSqlTool, folder: join(dataDir, 'temporal') },
      ...{ password, ports },
    };
    mkdirSync(temporal.folder, { recursive: true });
    await this.#startAll([
      postgresServer(postgres),
      networkProxy(programs.toxiproxy, join(dataDir, 'toxiproxy.json'), ports, options.seed),
      balancer(programs.haproxy, join(dataDir, 'haproxy.cfg'), ports),
    ]);
    await createRoles(postgres);
    await createTemporalDatabases(temporal);
    // Two processes that create the metadata of the cluster at the same time would make one of them exit.
    await this.#startAll([temporalMember(temporal, 'history-1')]);
    await this.#startAll(
      temporalNames.filter((name) => name !== 'history-1').map((name) => temporalMember(temporal, name)),
    );
    await createNamespace(temporal);
    const environments = Object.fromEntries(options.clockSteppers.map((name) => [name, this.clocks.environment(name)]));
    await this.#startAll(
      serviceComponents({ root, dataDir, ports, secrets, names: { workers, apis: options.apis }, environments }),
    );
    const token = await requestToken({ dataDir, port: ports.api, tenant });
    this.#caller = new RetryingCaller(this.stack.addresses.api, token, patienceMs);
    this.#connection = await Connection.connect({ address: this.stack.addresses.temporal });
  }

  get caller(): RetryingCaller {
    if (!this.#caller) throw new StackError('The cluster is not started.');
    return this.#caller;
  }

  get temporal(): Client {
    if (!this.#connection) throw new StackError('The cluster is not started.');
    return new Client({ connection: this.#connection, namespace });
  }

  /** Makes Postgres need more room for its write-ahead log. */
  readonly writeLog = (): Promise<void> => {
    const { postgresPassword } = loadLocalSecrets(this.options.dataDir);
    return writeWholeLog({ port: this.ports.postgres, password: postgresPassword });
  };

  readHistory(transactionId: string) {
    return this.temporal.workflow.getHandle(transactionWorkflowId(tenant, transactionId)).fetchHistory();
  }

  nextPhone(): ReturnType<typeof phoneOf> {
    this.#phoneCount += 1;
    return phoneOf(this.#phoneCount);
  }

  /** Sends a signal to a process. After SIGKILL, SIGTERM and SIGQUIT, the process starts again. Does nothing if it is not running. */
  signal(name: string, signal: NodeJS.Signals): void {
    const { pid } = this.#find(name);
    if (pid) process.kill(pid, signal);
  }

  /** The id of a running process. Throws StackError if it is not running. */
  pidOf(name: string): number {
    const { pid } = this.#find(name);
    if (pid === undefined) throw new StackError(`${name} is not running.`);
    return pid;
  }

  /** Stops processes, and leaves them stopped. */
  async stop(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#find(name).stop()));
  }

  /** Starts processes, and returns at once. Each is started again until it runs. */
  startAgain(names: readonly string[]): void {
    // While another fault lasts, a process may not become ready. Whoever needs it, waits for it.
    for (const name of names)
      this.#find(name)
        .start()
        .catch(() => undefined);
  }

  /** Waits until these processes are ready. Throws StackError if one is not. */
  async waitUntilReady(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#find(name).start()));
  }

  /** Stops everything. Callable at any time, and more than once. */
  async end(): Promise<void> {
    if (this.#isStopping) return;
    this.#isStopping = true;
    await this.#connection?.close();
    await this.pool.end();
    const rows = [[...workers, ...this.options.apis], temporalNames, ['inbox', 'balancer', 'toxiproxy'], ['postgres']];
    for (const row of rows) {
      // A frozen process would not end.
      const started = row.filter((name) => this.#processes.has(name));
      for (const name of started) this.signal(name, 'SIGCONT');
      await this.stop(started);
    }
  }

  async #startAll(components: readonly Component<string>[]): Promise<void> {
    if (this.#isStopping) throw new StackError('The cluster is stopping.');
    const { dataDir, print } = this.options;
    for (const component of components)
      this.#processes.set(component.name, new SupervisedProcess(component, dataDir, print));
    await this.waitUntilReady(components.map(({ name }) => name));
  }

  #find(name: string): SupervisedProcess {
    const found = this.#processes.get(name);
    if (!found) throw new StackError(`The cluster has no ${name}.`);
    return found;
  }
}
