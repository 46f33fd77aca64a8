import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from './free-port';
import { createDatabaseFolder, createRoleSql, postgresCommand, superuser, withClient } from './postgres';
import { postgresAddress } from './settings';
import { startProgram } from './start-program';

const password = 'only-for-a-while';

/** A Postgres server whose files are deleted when it stops. */
export interface TemporaryPostgres {
  /** Address of one of its databases, for the role of the service. */
  address: (database: string) => string;
  /** Address of its database `postgres`, for the superuser. */
  superuserAddress: string;
  /** Runs one statement in the database `postgres`, as the superuser. */
  execute: (sql: string) => Promise<void>;
  stop: () => Promise<void>;
  /** Stops the server and saves its files in a folder, atomically. An existing folder is not changed. */
  save: (folder: string) => Promise<void>;
}

/** Copies a folder with its owners and modes, because Postgres checks them. */
const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-Rp', from, to]);

/**
 * Starts a Postgres server on a free port of 127.0.0.1, with a temporary folder. The server stops with this process. `settings`: settings
 * of Postgres, as `name=value`. `savedFolder`: a folder that `save` has written. The server then has the databases of this folder.
 * `programsFolder`: the folder of other Postgres programs than the embedded ones.
 */
export async function startTemporaryPostgres(
  root: string,
  settings: readonly string[],
  savedFolder?: string,
  programsFolder?: string,
): Promise<TemporaryPostgres> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  const databaseFolder = join(temporaryFolder, 'postgres');
  if (savedFolder) await copyFolder(savedFolder, databaseFolder);
  await createDatabaseFolder(root, databaseFolder, password, programsFolder);
  const port = await findFreePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const [file, ...args] = postgresCommand(root, 'postgres', databaseFolder, programsFolder);
  const serverArgs = [...args, '-D', databaseFolder, '-p', String(port), ...options.flatMap((one) => ['-c', one])];
  const superuserAddress = postgresAddress(port, password, 'postgres', superuser);
  const execute = (sql: string) => withClient(superuserAddress, async (client) => void (await client.query(sql)));
  const isReady = () =>
    execute('select 1').then(
      () => true,
      () => false,
    );
  const deleteFolder = () => rmSync(temporaryFolder, { recursive: true, force: true });
  const server = await startProgram(file, serverArgs, superuserAddress, isReady, { endSignal: 'QUIT' }).catch(
    (error) => {
      deleteFolder();
      throw error;
    },
  );
  if (!savedFolder) await execute(createRoleSql(password, 'createdb'));
  return {
    address: (database) => postgresAddress(port, password, database),
    superuserAddress,
    execute,
    // The files are deleted anyway, so a clean shutdown is not needed.
    stop: () => server.stop('SIGQUIT').then(deleteFolder),
    save: async (targetFolder) => {
      const exitCode = await server.stop('SIGINT');
      const partialFolder = `${targetFolder}.${randomUUID()}`;
      try {
        if (exitCode !== 0) throw new Error('The server did not shut down cleanly, so its files are not saved.');
        mkdirSync(dirname(targetFolder), { recursive: true });
        await copyFolder(databaseFolder, partialFolder);
        renameSync(partialFolder, targetFolder);
      } catch (error) {
        // Another process may have saved the same folder.
        if (!existsSync(targetFolder)) throw error;
      } finally {
        rmSync(partialFolder, { recursive: true, force: true });
        deleteFolder();
      }
    },
  };
}
