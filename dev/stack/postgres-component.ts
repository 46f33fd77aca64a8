import type { Component } from './component';
import { dataPaths } from './data-folder';
import type { LocalSecrets } from './local-secrets';
import { createDatabaseFolder, createRoleSql, postgresCommand, serviceRole, superuser, withClient } from './postgres';
import { postgresAddress, type StackSettings } from './settings';

const database = 'countersign';

/** Creates the role of the service and its database, if they do not exist. */
const createServiceDatabase = ({ ports }: StackSettings, password: string): Promise<void> =>
  withClient(postgresAddress(ports.postgres, password, 'postgres', superuser), async (client) => {
    const exists = async (sql: string) => (await client.query(sql)).rows.length > 0;
    if (!(await exists(`select from pg_roles where rolname = '${serviceRole}'`)))
      await client.query(createRoleSql(password));
    if (!(await exists(`select from pg_database where datname = '${database}'`)))
      await client.query(`create database ${database} owner ${serviceRole}`);
  });

/** The embedded Postgres server. */
export function postgresComponent(settings: StackSettings, { postgresPassword }: LocalSecrets): Component {
  const folder = dataPaths(settings.dataDir).postgresDir;
  return {
    name: 'postgres',
    prepare: () => createDatabaseFolder(settings.root, folder, postgresPassword),
    command: () => {
      const [file, ...args] = postgresCommand(settings.root, 'postgres', folder);
      const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
      return {
        file,
        args: [...args, '-D', folder, '-p', String(settings.ports.postgres), ...options.flatMap((one) => ['-c', one])],
        environment: { ...settings.environment, LC_MESSAGES: 'C' },
      };
    },
    isReady: async () => {
      await createServiceDatabase(settings, postgresPassword);
      return true;
    },
    // With SIGINT, Postgres makes a fast shutdown: it ends all sessions, and loses no acknowledged data.
    stopSignal: 'SIGINT',
    stopWithinMs: 10_000,
    endSignal: 'QUIT',
  };
}
