import { readKeysConfig } from '../config';
import { seenWithinSeconds } from '../postgres/polled-value';
import type { Pool } from '../postgres/postgres';
import { type CommandContext, runOnDatabase } from '../postgres/command-database';
import { createServiceKeys, type ServiceKeys } from './service-keys';
import { replaceSigningKeys, rotateSigningKey } from './signing-keys';
import { findSigningKeys } from './signing-keys.sql';

const usage = `Usage:
  npm run signing-keys -- list       lists the keys that sign access tokens
  npm run signing-keys -- rotate     adds a key, which begins to sign after one hour. Current access tokens stay valid until they expire
  npm run signing-keys -- replace    after a leak: replaces all keys at once. All access tokens become invalid within ${seenWithinSeconds} seconds

If DATABASE_URL is set, the command uses this database, and needs the same SERVICE_KEY and OTHER_SERVICE_KEYS as
the API. If DATABASE_URL is not set, the command uses the local stack (npm start) that runs with the same DATA_DIR (default: .data).
`;

type Command = (pool: Pool, serviceKeys: ServiceKeys) => Promise<string>;

const commands: Readonly<Record<string, Command>> = {
  list: async (pool) => {
    const rows = (await findSigningKeys(pool)).map(({ kid, signsFrom }) => `${kid}  ${timeOf(signsFrom)}\n`);
    return rows.join('');
  },
  rotate: async (pool, serviceKeys) => {
    const added = await rotateSigningKey(pool, serviceKeys);
    if (!added)
      return 'Nothing was added, because the newest key does not sign yet. npm run signing-keys -- list shows when this key begins to sign.\n';
    return `${added.kid}  ${timeOf(added.signsFrom)}\nThe earlier keys are removed when all their access tokens have expired.\n`;
  },
  replace: async (pool, serviceKeys) => {
    const { kid, signsFrom } = await replaceSigningKeys(pool, serviceKeys);
    return `${kid}  ${timeOf(signsFrom)}\nAll earlier access tokens stop working within ${seenWithinSeconds} seconds.\n`;
  },
};

/** The time from which a key signs, as a text. */
const timeOf = (signsFrom: Date) =>
  `${signsFrom.getTime() > Date.now() ? 'signs from' : 'signs since'} ${signsFrom.toISOString()}`;

/** Lists, rotates and replaces the signing keys. Returns the exit code. */
export async function runSigningKeys(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  const [name = '', ...extraArguments] = args;
  const command = Object.hasOwn(commands, name) && extraArguments.length === 0 ? commands[name] : undefined;
  if (!command) {
    const isHelp = name === '--help' || name === '-h';
    (isHelp ? stdout : stderr).write(usage);
    return isHelp ? 0 : 1;
  }
  return runOnDatabase(context, async (open) => {
    const { pool, settings } = open(readKeysConfig);
    stdout.write(await command(pool, createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS)));
    return 0;
  });
}
