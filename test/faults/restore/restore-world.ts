import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../../../dev/stack/free-port';
import { localEnvironment } from '../../../dev/stack/local-secrets';
import { type Stack, startStack } from '../../../dev/stack/stack';
import { type RunningProgram, startProgram } from '../../../dev/stack/start-program';
import { startTemporaryPostgres, type TemporaryPostgres } from '../../../dev/stack/temporary-postgres';
import { runBackup } from '../../../worker/backup/backup.cli';
import { runRestore } from '../../../worker/backup/restore.cli';
import type { RestoreReport } from '../../../worker/backup/report';
import { readJson } from '../../../dev/stack/data-folder';
import { findFreePorts, root } from '../../acceptance/support/test-stack';
import { InboxPerson } from '../inbox-person';
import { RetryingCaller } from '../retrying-caller';

const namespace = 'default';
const stackTenant = 'local';

/** A service whose Postgres and Temporal can be backed up, replaced and restored, while the inbox keeps every message. */
export class RestoreWorld {
  caller!: RetryingCaller;
  readonly person: InboxPerson;
  #temporal: RunningProgram | undefined;

  private constructor(
    readonly folder: string,
    private readonly postgres: TemporaryPostgres,
    readonly stack: Stack,
    private readonly temporalPorts: { port: number; ui: number },
    temporal: RunningProgram,
  ) {
    this.#temporal = temporal;
    this.person = new InboxPerson(stack.addresses.inbox);
  }

  static async start(): Promise<RestoreWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-restore-'));
    const programs = process.env['POSTGRES_PROGRAMS'] || '/usr/lib/postgresql/15/bin';
    // The commands find pg_dump and pg_restore on PATH.
    process.env['PATH'] = `${programs}${delimiter}${process.env['PATH'] ?? ''}`;
    const postgres = await startTemporaryPostgres(root, ['fsync=off'], undefined, programs);
    await postgres.execute('create database countersign owner countersign');
    const temporalPorts = { port: await findFreePort(), ui: await findFreePort() };
    const temporal = await startTemporal(join(folder, 'temporal.db'), temporalPorts);
    const { api, inbox } = await findFreePorts();
    const stack = await startStack({
      dataDir: join(folder, 'data'),
      ports: { api, inbox },
      env: { DATABASE_URL: postgres.address('countersign'), TEMPORAL_ADDRESS: temporal.address },
    });
    const world = new RestoreWorld(folder, postgres, stack, temporalPorts, temporal);
    await world.#signIn();
    return world;
  }

  async end(): Promise<void> {
    await this.stack.stopAll();
    await this.#temporal?.stop('SIGINT');
    await this.postgres.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #signIn(): Promise<void> {
    this.caller = new RetryingCaller(this.stack.addresses.api, await this.stack.token(stackTenant));
  }

  get backups(): string {
    return join(this.folder, 'backups');
  }

  async #run(command: typeof runBackup, args: string[]): Promise<{ code: number; output: string }> {
    let output = '';
    const write = (text: string | Uint8Array) => {
      output += String(text);
      return true;
    };
    const { dataDir, settings } = this.stack;
    const environment = () => ({
      ...process.env,
      ...localEnvironment(dataDir),
      IMAGES_DIR: join(dataDir, 'images'),
      DATABASE_URL: settings.environment['DATABASE_URL'],
      TEMPORAL_ADDRESS: settings.environment['TEMPORAL_ADDRESS'],
    });
    return { code: await command(args, { environment, stdout: { write }, stderr: { write } }), output };
  }

  /** Runs `npm run backup`. Returns the id of the backup. Throws if it fails. */
  async backUp(): Promise<{ id: string; output: string }> {
    const { code, output } = await this.#run(runBackup, ['--to', this.backups]);
    const id = /^Backup (\S+) is complete/m.exec(output)?.[1];
    if (code !== 0 || !id) throw new Error(output);
    return { id, output };
  }

  restore(...args: string[]): Promise<{ code: number; output: string }> {
    return this.#run(runRestore, ['--from', this.backups, ...args]);
  }

  /** Runs `npm run restore`. Throws if it fails. */
  async restoreParts(main: string, keys: string): Promise<{ report: RestoreReport; output: string }> {
    const file = join(this.folder, 'report.json');
    rmSync(file, { force: true });
    const { code, output } = await this.restore('--main', main, '--keys', keys, '--overwrite', '--report', file);
    if (code !== 0) throw new Error(output);
    return { report: readJson(file) as RestoreReport, output };
  }

  async stopService(): Promise<void> {
    await this.stack.stop('api');
    await this.stack.stop('worker');
  }

  async startService(): Promise<void> {
    await this.stack.start('worker');
    await this.stack.start('api');
    await this.#signIn();
  }

  /** Copies the data of Temporal, which stops for some seconds. Returns between which times the copy was made. */
  async saveTemporal(name: string): Promise<readonly [from: number, to: number]> {
    const from = Date.now();
    let to = from;
    await this.#replaceTemporal(() => {
      to = Date.now();
      cpSync(this.#temporalFile, join(this.folder, `temporal-${name}.db`));
    });
    return [from, to];
  }

  /** Puts a saved copy in the place of the data of Temporal. Undefined: Temporal becomes empty. */
  async loadTemporal(name: string | undefined): Promise<void> {
    await this.#replaceTemporal(() => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${this.#temporalFile}${suffix}`, { force: true });
      if (name !== undefined) cpSync(join(this.folder, `temporal-${name}.db`), this.#temporalFile);
    });
  }

  get #temporalFile(): string {
    return join(this.folder, 'temporal.db');
  }

  async #replaceTemporal(change: () => void): Promise<void> {
    await this.#temporal?.stop('SIGINT');
    change();
    this.#temporal = await startTemporal(this.#temporalFile, this.temporalPorts);
  }
}

/** After a clean stop, all data is in the file. */
export function startTemporal(file: string, { port, ui }: { port: number; ui: number }): Promise<RunningProgram> {
  const program = process.env['TEMPORAL_CLI_PATH'] ?? 'temporal';
  const options = { ip: '127.0.0.1', port, 'ui-port': ui, namespace, 'db-filename': file, 'log-level': 'error' };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const isReady = () =>
    fetch(`http://127.0.0.1:${ui}/api/v1/namespaces/${namespace}`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  return startProgram(program, ['server', 'start-dev', ...args], `127.0.0.1:${port}`, isReady);
}
