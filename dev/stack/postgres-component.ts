import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { dataPaths, readJson, writeJson } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import type { Component } from './component';
import { findPostgres } from './postgres-binaries';
import { clearStaleServer, createDatabaseFolder, createRoleSql, serviceRole, superuser } from './postgres-data';
import { isOpenToAll, ensurePostgresUser, createPublicFolder } from './postgres-user';
import { postgresAddress, type StackSettings } from './settings';

const database = 'countersign';

/**
 * The folder of the database, in the data folder. If root runs the stack, and the user `postgres` cannot enter the data folder, the
 * database is in a public folder instead.
 */
export function choosePostgresDir(dataDir: string, isRoot = process.getuid?.() === 0): string {
  const { postgresDir, placesFile } = dataPaths(dataDir);
  if (!isRoot || isOpenToAll(dataDir)) return postgresDir;
  // An earlier start may have chosen a folder. All starts must use the same folder.
  const places = readJson(placesFile) as { postgresDir?: string } | undefined;
  if (places?.postgresDir) return places.postgresDir;
  const folder = join(createPublicFolder(dataDir), randomUUID(), 'postgres');
  writeJson(placesFile, { ...places, postgresDir: folder });
  return folder;
}

/** Creates the role of the service and its database, if they do not exist. */
async function createServiceDatabase({ ports }: StackSettings, password: string): Promise<void> {
  const connectionString = postgresAddress(ports.postgres, password, 'postgres', superuser);
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  const exists = async (sql: string) => (await client.query(sql)).rows.length > 0;
  try {
    await client.connect();
    if (!(await exists(`select from pg_roles where rolname = '${serviceRole}'`)))
      await client.query(createRoleSql(password));
    if (!(await exists(`select from pg_database where datname = '${database}'`)))
      await client.query(`create database ${database} owner ${serviceRole}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The embedded Postgres server. */
export function postgresComponent(settings: StackSettings, { postgresPassword }: LocalSecrets): Component {
  const folder = choosePostgresDir(settings.dataDir);
  const user = ensurePostgresUser();
  const { initdb, postgres } = findPostgres(settings.root);
  return {
    name: 'postgres',
    dependsOn: [],
    prepare: async () => {
      mkdirSync(dirname(folder), { recursive: true });
      // The user `postgres` has to enter this folder.
      if (user) chmodSync(dirname(folder), 0o711);
      await createDatabaseFolder({ folder, initdb, password: postgresPassword, user });
      await clearStaleServer(folder);
    },
    command: () => ({
      file: postgres,
      args: [
        '-D',
        folder,
        '-p',
        String(settings.ports.postgres),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'unix_socket_directories=',
        '-c',
        'max_connections=200',
      ],
      environment: { ...settings.environment, LC_MESSAGES: 'C' },
      user,
    }),
    isReady: async () => {
      await createServiceDatabase(settings, postgresPassword);
      return true;
    },
    // With SIGINT, Postgres makes a fast shutdown: it ends all sessions, and loses no acknowledged data.
    stopSignal: 'SIGINT',
    stopWithinMs: 10_000,
  };
}
