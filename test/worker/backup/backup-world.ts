import { circleOfTenant, observationOf } from '../../../store/transactions/observed-values';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTemporaryPostgres, type TemporaryPostgres } from '../../../dev/stack/temporary-postgres';
import { TransactionKeys } from '../../../platform/keys/data-keys';
import { openKeysOfEnvironment } from '../../../platform/keys/root-secret';
import { createServiceKeys } from '../../../platform/keys/service-keys';
import { createLogger } from '../../../platform/logger';
import { migrate, openPool, type Pool } from '../../../platform/postgres/postgres';
import { createRecord } from '../../../store/transactions/transactions.sql';
import { runBackup } from '../../../worker/backup/backup.cli';
import { runRestore } from '../../../worker/backup/restore.cli';
import type { TransactionState } from '../../../domain/transactions/state';
import { root } from '../../acceptance/support/test-stack';
import { buildState, testKeys } from '../../support/build';

export const logger = createLogger('test', 'silent');
export const serviceKey = Buffer.alloc(32, 1).toString('base64');

/** The answer of a command. */
export interface Answer {
  code: number;
  output: string;
}

/** A server of Postgres with the databases `source`, which a service has used, and `target`, which is empty, and a folder for each test. */
export class BackupWorld {
  folder = '';
  /** Called with each text that a command prints. */
  onOutput: ((text: string) => void) | undefined;

  private constructor(readonly postgres: TemporaryPostgres) {}

  static async start(): Promise<BackupWorld> {
    const programs = process.env['POSTGRES_PROGRAMS'] || '/usr/lib/postgresql/15/bin';
    process.env['PATH'] = `${programs}${delimiter}${process.env['PATH'] ?? ''}`;
    const world = new BackupWorld(await startTemporaryPostgres(root, ['fsync=off'], undefined, programs));
    for (const name of ['source', 'target']) await world.createDatabase(name);
    await world.use('source');
    return world;
  }

  async createDatabase(name: string): Promise<void> {
    await this.postgres.execute(`create database ${name} owner countersign`);
  }

  /** Does what the first process of a service does with an empty database. */
  async use(name: string): Promise<void> {
    await migrate(this.postgres.address(name), logger);
    await this.withPool(name, (pool) => openKeysOfEnvironment(pool, createServiceKeys(serviceKey), 'local'));
  }

  async withPool<Result>(name: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
    const pool = openPool(this.postgres.address(name), logger, 1);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  /** Saves a new transaction. */
  async create(name = 'source'): Promise<TransactionState> {
    const state = { ...buildState(), version: 1 };
    await this.withPool(name, (pool) =>
      createRecord(
        pool,
        new TransactionKeys(pool, createServiceKeys(serviceKey)),
        state,
        observationOf(testKeys, state, circleOfTenant(state.tenant)),
      ),
    );
    return state;
  }

  newFolder(): void {
    this.folder = mkdtempSync(join(tmpdir(), 'countersign-backup-'));
  }

  removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get backups(): string {
    return join(this.folder, 'backups');
  }

  get images(): string {
    return join(this.folder, 'images');
  }

  async #run(command: typeof runBackup, args: string[], settings: NodeJS.ProcessEnv): Promise<Answer> {
    let output = '';
    const write = (text: string | Uint8Array) => {
      output += String(text);
      this.onOutput?.(String(text));
      return true;
    };
    const environment = () => ({
      PATH: process.env['PATH'],
      DATABASE_URL: this.postgres.address('source'),
      SERVICE_KEY: serviceKey,
      IMAGES_DIR: this.images,
      // No server listens there.
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...settings,
    });
    return { code: await command(args, { environment, stdout: { write }, stderr: { write } }), output };
  }

  async backUp(settings: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Answer> {
    // The id of a backup is its second.
    await sleep(1_000 - (Date.now() % 1_000));
    return this.#run(runBackup, ['--to', this.backups, ...args], settings);
  }

  restore(settings: NodeJS.ProcessEnv = {}, ...args: string[]): Promise<Answer> {
    const target = { DATABASE_URL: this.postgres.address('target'), ...settings };
    return this.#run(runRestore, ['--from', this.backups, ...args], target);
  }

  /** The names of the complete backups of a part. */
  list(part: 'main' | 'data-keys'): string[] {
    return readdirSync(join(this.backups, part)).filter((name) => !name.startsWith('.'));
  }
}
