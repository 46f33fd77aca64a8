import { chownSync, cpSync, existsSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Component } from '../../../dev/stack/component';
import {
  createDatabaseFolder,
  createRoleSql,
  postgresCommand,
  superuser,
  withClient,
} from '../../../dev/stack/postgres';
import { postgresAddress } from '../../../dev/stack/settings';
import { temporalRole } from './temporal-server';

/** The pools of all processes together: 7 of Temporal with 15 connections, and 5 of the service. */
const connectionsMax = 300;

export interface PostgresServer {
  /** The root folder of the repository, which has the embedded Postgres. */
  root: string;
  folder: string;
  port: number;
  /** Of the superuser, the role of the service and the role of Temporal. */
  password: string;
  /** The folder of a small disk for the write-ahead log. */
  logDisk: string;
}

/** Moves the write-ahead log to its disk, where a fault can fill it without filling the disk of the machine. */
function moveLog(folder: string, logDisk: string): void {
  const [inFolder, onDisk] = [join(folder, 'pg_wal'), join(logDisk, 'pg_wal')];
  if (existsSync(onDisk)) return;
  const { uid, gid } = statSync(folder);
  cpSync(inFolder, onDisk, { recursive: true, preserveTimestamps: true });
  for (const path of [logDisk, onDisk]) chownSync(path, uid, gid);
  chownTree(onDisk, uid, gid);
  rmSync(inFolder, { recursive: true });
  symlinkSync(onDisk, inFolder);
}

function chownTree(folder: string, uid: number, gid: number): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(join(folder, entry), uid, gid);
}

export function postgresServer({ root, folder, port, password, logDisk }: PostgresServer): Component<'postgres'> {
  return {
    name: 'postgres',
    prepare: async () => {
      await createDatabaseFolder(root, folder, password);
      moveLog(folder, logDisk);
    },
    command: () => {
      const [file, ...args] = postgresCommand(root, 'postgres', folder);
      const options = [
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        `max_connections=${connectionsMax}`,
        // The disk of the log has room for twice as much.
        'max_wal_size=256MB',
      ];
      return {
        file,
        args: [...args, '-D', folder, '-p', String(port), ...options.flatMap((one) => ['-c', one])],
        environment: { ...process.env, LC_MESSAGES: 'C' },
      };
    },
    isReady: () =>
      withClient(postgresAddress(port, password, 'postgres', superuser), async (client) => {
        await client.query('select 1');
        return true;
      }),
    // An immediate shutdown, as after a crash: the next start recovers from the write-ahead log.
    stopSignal: 'SIGQUIT',
    stopWithinMs: 10_000,
    endSignal: 'QUIT',
  };
}

/** Creates the roles, and the database of the service as docs/connections.md describes. */
export const createRoles = ({ port, password }: PostgresServer): Promise<void> =>
  withClient(postgresAddress(port, password, 'postgres', superuser), async (client) => {
    await client.query(createRoleSql(password));
    await client.query('create database countersign owner countersign');
    await client.query(`create role ${temporalRole} login createdb password '${password}'`);
  });

/** More segments than Postgres keeps ready with this `max_wal_size`. */
const segmentsMax = 64;

/** Writes to the write-ahead log until it is at the end of its last segment, or until its disk is full and Postgres crashes. */
export const writeWholeLog = ({ port, password }: Pick<PostgresServer, 'port' | 'password'>): Promise<void> =>
  withClient(postgresAddress(port, password, 'postgres', superuser), async (client) => {
    for (let segment = 0; segment < segmentsMax; segment += 1)
      await client.query("select pg_logical_emit_message(true, 'chaos', ''), pg_switch_wal()");
    // The connection ends with the crash.
  }).catch(() => undefined);
