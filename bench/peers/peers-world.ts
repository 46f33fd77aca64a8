import { connect } from 'node:net';
import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Component, isOk } from '../../dev/stack/component';
import { findFreePort } from '../../dev/stack/free-port';
import { loadLocalSecrets } from '../../dev/stack/local-secrets';
import { nodeComponents } from '../../dev/stack/node-components';
import { serviceRole, superuser, withClient } from '../../dev/stack/postgres';
import { postgresAddress } from '../../dev/stack/settings';
import { SupervisedProcess } from '../../dev/stack/supervised-process';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { Persons, SideCaller } from './side-caller';
import { definitionOf, type ProcessGroup, type SideName, sideNames } from './sides';

/** Peers have no connections to drain, so a request to stop ends them at once. */
const stopWithinMs = 2_000;

/** A running process of a side. */
interface Program {
  port: number;
  process: SupervisedProcess;
}

/** A stack, and the programs of all peers beside it. A supervisor restarts each program that ends, as it does for Countersign. */
export class PeersWorld {
  readonly persons = new Persons();
  readonly #programs = new Map<string, Program>();
  #redis: Program | undefined;

  private constructor(
    private readonly bench: BenchStack,
    private readonly token: string,
    private readonly providerAddress: string,
  ) {}

  /** Starts the stack, without peers. `providerAddress`: where all sides send messages. Default: the inbox. */
  static async start(providerAddress?: string): Promise<PeersWorld> {
    const bench = await startBenchStack({
      NODE_ENV: 'production',
      // Above what one caller can reach, so that the limiter works and rejects nothing.
      RATE_LIMIT_PER_SECOND: '100000',
      READS: 'workflow',
      ...(providerAddress && { TWILIO_BASE_URL: providerAddress }),
    });
    const { stack } = bench;
    const world = new PeersWorld(bench, await stack.token(), providerAddress ?? stack.addresses.inbox);
    for (const database of new Set(sideNames.map((name) => definitionOf(name).database)))
      if (database && database !== 'countersign')
        await withClient(world.superuserAddress, (client) =>
          client.query(`create database ${database} owner ${serviceRole}`),
        );
    return world;
  }

  get inboxAddress(): string {
    return this.bench.stack.addresses.inbox;
  }

  get temporalAddress(): string {
    return this.bench.stack.addresses.temporal;
  }

  get superuserAddress(): string {
    return postgresAddress(this.bench.postgresPort, this.#secrets.postgresPassword, 'postgres', superuser);
  }

  get #secrets() {
    return loadLocalSecrets(this.bench.stack.dataDir);
  }

  /** Starts the programs of a side. Returns a caller of its API. */
  async startSide(name: SideName): Promise<SideCaller> {
    const { scripts, engine } = definitionOf(name);
    if (engine === 'redis') this.#redis ??= await this.#startRedis();
    if (name === 'countersignRecord') await this.#start(name, (port) => this.#recordApi(port));
    // The worker first: the API of a side can answer only when its worker runs.
    for (const group of ['worker', 'api'] as const)
      if (scripts[group])
        await this.#start(`${name}-${group}`, (port) => this.#peerComponent(name, scripts[group] ?? [], port));
    return this.callerOf(name);
  }

  callerOf(name: SideName): SideCaller {
    const port = this.#programOf(name, 'api')?.port;
    const address = port ? `http://127.0.0.1:${port}` : this.bench.stack.addresses.api;
    return new SideCaller(definitionOf(name), address, this.inboxAddress, this.token, this.persons);
  }

  async stopSide(name: SideName): Promise<void> {
    for (const key of [name, `${name}-api`, `${name}-worker`]) {
      await this.#programs.get(key)?.process.stop();
      this.#programs.delete(key);
    }
  }

  /** The processes that do the work of a side, by group. */
  pidsOf(name: SideName): Partial<Record<ProcessGroup, number>> {
    const { engine, database, sender } = definitionOf(name);
    const stack = this.bench.stack.pids();
    const isOurs = name === 'countersign' || name === 'countersignRecord';
    const api = this.#programOf(name, 'api')?.process.pid ?? (isOurs ? stack.api : undefined);
    const worker = this.#programOf(name, 'worker')?.process.pid ?? (isOurs && sender ? stack.worker : undefined);
    const engines = { temporal: stack.temporal, redis: this.#redis?.process.pid };
    const pids = { api, worker, engine: engine && engines[engine], database: database && stack.postgres };
    return Object.fromEntries(Object.entries(pids).filter(([, pid]) => pid !== undefined));
  }

  /** Kills the process of a side that sends messages. Resolves when its supervisor has started another one, which is ready. */
  async killSender(name: SideName): Promise<void> {
    const { sender } = definitionOf(name);
    const program = sender && this.#programOf(name, sender);
    const readPid = () => (program ? program.process.pid : this.bench.stack.pids().worker);
    const killed = readPid();
    if (killed === undefined) throw new Error(`The sending process of ${name} is not running.`);
    process.kill(killed, 'SIGKILL');
    while ([killed, undefined].includes(readPid())) await sleep(5);
    await (program ? program.process.start() : this.bench.stack.start('worker'));
  }

  async stop(): Promise<void> {
    await Promise.all(sideNames.map((name) => this.stopSide(name)));
    await this.#redis?.process.stop();
    await this.bench.stop();
  }

  #programOf(name: SideName, group: 'api' | 'worker'): Program | undefined {
    return this.#programs.get(`${name}-${group}`) ?? (group === 'api' ? this.#programs.get(name) : undefined);
  }

  async #start(key: string, createComponent: (port: number) => Component<string>): Promise<Program> {
    const port = await findFreePort();
    const component = { ...createComponent(port), name: key };
    const process = new SupervisedProcess(component, this.bench.stack.dataDir, () => undefined);
    const program = { port, process };
    this.#programs.set(key, program);
    await process.start();
    return program;
  }

  #peerComponent(name: SideName, [script = '', ...args]: readonly string[], port: number): Component<string> {
    const { twilioAccountSid, twilioAuthToken, postgresPassword } = this.#secrets;
    const { database = '' } = definitionOf(name);
    return {
      name,
      command: () => ({
        file: process.execPath,
        args: [join(__dirname, 'programs', script), ...args],
        environment: {
          ...process.env,
          NODE_ENV: 'production',
          PORT: String(port),
          DATABASE_URL: postgresAddress(this.bench.postgresPort, postgresPassword, database),
          REDIS_PORT: String(this.#redis?.port),
          TEMPORAL_ADDRESS: this.temporalAddress,
          TWILIO_BASE_URL: this.providerAddress,
          TWILIO_ACCOUNT_SID: twilioAccountSid,
          TWILIO_AUTH_TOKEN: twilioAuthToken,
        },
      }),
      isReady: () => isOk(`http://127.0.0.1:${port}/health`),
      stopSignal: 'SIGTERM',
      stopWithinMs,
    };
  }

  /** A second API of the stack, which reads only from the record. */
  #recordApi(port: number): Component<string> {
    const { settings } = this.bench.stack;
    const recordSettings = {
      ...settings,
      ports: { ...settings.ports, api: port },
      environment: { ...settings.environment, READS: 'record' },
    };
    const components = nodeComponents(recordSettings, this.#secrets, { smtp: 0, workerHealth: 0 });
    const api = components.find(({ name }) => name === 'api');
    if (!api) throw new Error('The stack has no API.');
    return api;
  }

  /** Starts Redis, which writes its log to the disk once a second. */
  async #startRedis(): Promise<Program> {
    const folder = join(this.bench.stack.dataDir, 'redis');
    mkdirSync(folder);
    const options = { bind: '127.0.0.1', dir: folder, appendonly: 'yes', appendfsync: 'everysec', save: '' };
    return this.#start('redis', (port) => ({
      name: 'redis',
      command: () => ({
        file: process.env['REDIS_SERVER_PATH'] ?? 'redis-server',
        args: Object.entries({ port: String(port), ...options }).flatMap(([option, value]) => [`--${option}`, value]),
        environment: process.env,
      }),
      isReady: () => answersPing(port),
      stopSignal: 'SIGTERM',
      stopWithinMs,
    }));
  }
}

/** Whether a Redis server answers on this port. */
const answersPing = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('+PONG'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
  });
