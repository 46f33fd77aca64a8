import { mailReportPath } from '../../messages/links';
import { readKeysConfig } from '../../platform/config';
import { openKeys } from '../../platform/keys/root-secret';
import { createServiceKeys } from '../../platform/keys/service-keys';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/command-database';

const usage = `Usage:
  npm run mail-reports      prints the path to which your mail system posts bounces and complaints, below PUBLIC_URL (docs/messaging.md)

Keep the path secret. If DATABASE_URL is set, the command uses this database, and needs the same SERVICE_KEY and OTHER_SERVICE_KEYS as
the API. If DATABASE_URL is not set, the command uses the local stack (npm start) that runs with the same DATA_DIR (default: .data).
`;

/** Prints the path of mail reports. Returns the exit code. */
export async function runMailReports(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  if (args.length > 0) {
    const isHelp = args[0] === '--help' || args[0] === '-h';
    (isHelp ? stdout : stderr).write(usage);
    return isHelp ? 0 : 1;
  }
  return runOnDatabase(context, async (open) => {
    const { pool, settings } = open(readKeysConfig);
    const keys = await openKeys(pool, createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS));
    stdout.write(`${mailReportPath(keys)}\n`);
    return 0;
  });
}
