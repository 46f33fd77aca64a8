import type { DatabaseSettings } from '../config';
import { createLogger } from '../logger';
import { openPool, type Pool } from './postgres';

/** What a command-line tool gets from the process in which it runs. */
export interface CommandContext {
  /** Returns the environment variables. It is called only if a command runs, so that --help works without settings. */
  environment: () => NodeJS.ProcessEnv;
  stdout: Pick<NodeJS.WriteStream, 'write'> & { isTTY?: boolean };
  stderr: Pick<NodeJS.WritableStream, 'write'>;
}

/** Reads settings with `readSettings`, and opens the database that they name, with one connection. */
export type OpenDatabase = <Settings extends DatabaseSettings>(
  readSettings: (environment: NodeJS.ProcessEnv) => Settings,
) => { pool: Pool; settings: Settings };

/** Runs a command-line tool. `work` returns the exit code. If `work` throws, prints the message of the error and returns 1. */
export async function runOnDatabase(
  { environment, stderr }: CommandContext,
  work: (open: OpenDatabase) => Promise<number>,
): Promise<number> {
  let opened: Pool | undefined;
  try {
    return await work((readSettings) => {
      const settings = readSettings(environment());
      const pool = openPool(settings, createLogger('command', 'error'), 1);
      opened = pool;
      return { pool, settings };
    });
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  } finally {
    await opened?.end();
  }
}
