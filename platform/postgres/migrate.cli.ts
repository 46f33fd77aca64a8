import { readMigrationConfig } from '../config';
import { createLogger, errorName } from '../logger';
import { retryUntilReachable } from '../startup';
import { directUrl, migrate } from './postgres';
import { type CommandContext, runOnDatabase } from './command-database';
import { requireRowSecurity } from './requirements';

const usage = `Usage:
  npm run migrate    updates the schema of the database, and checks that its role separates tenants

Any number of processes may run it at the same time: one migrates, and the others wait. The command waits up to a minute for
Postgres. It needs DATABASE_URL and COUNTERSIGN_ENV. If DATABASE_URL is not set, it uses the local stack (npm start) that runs
with the same DATA_DIR (default: .data).
`;

/** Updates the schema, and prints the names of the migrations that it has run. Returns the exit code. */
export async function runMigrate(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  if (args.length > 0) {
    const isHelp = args[0] === '--help' || args[0] === '-h';
    (isHelp ? stdout : stderr).write(usage);
    return isHelp ? 0 : 1;
  }
  return runOnDatabase(context, async (open) => {
    const { pool, settings } = open(readMigrationConfig);
    const logger = createLogger('migrate', 'warn');
    try {
      const applied = await retryUntilReachable('Postgres', logger, async () => {
        const names = await migrate(directUrl(settings), logger);
        await requireRowSecurity(pool, settings.COUNTERSIGN_ENV, logger);
        return names;
      });
      for (const name of applied ?? []) stdout.write(`${name}\n`);
      stdout.write('The schema is up to date.\n');
      return 0;
    } catch (error) {
      stderr.write(`The schema could not be updated: ${(error as Error).message || errorName(error)}\n`);
      return 1;
    }
  });
}
