import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readKeysConfig } from '../config';
import type { Pool } from '../postgres/postgres';
import { type CommandContext, runOnDatabase } from '../postgres/command-database';
import { formatColumns } from '../text-table';
import { countKeysByServiceKey } from './data-keys.sql';
import { serviceKeyId } from './service-keys';
import { keyIdOfRootSecret } from './root-secret';
import { findSigningKeys } from './signing-keys.sql';

const usage = `Usage:
  npm run keys              shows which service keys the database needs
  npm run keys -- --wait    waits until the database needs only SERVICE_KEY

If DATABASE_URL is set, the command uses this database, and needs the same SERVICE_KEY and OTHER_SERVICE_KEYS as
the API. If DATABASE_URL is not set, the command uses the local stack (npm start) that runs with the same DATA_DIR (default: .data).
`;

/** Which keys in the database one service key (`keyId`) encrypts. `setting`: the setting that has this service key. */
interface KeyUse {
  keyId: string;
  setting: 'SERVICE_KEY' | 'OTHER_SERVICE_KEYS' | 'missing';
  rootSecret: boolean;
  dataKeys: number;
  signingKeys: number;
}

/**
 * Reads how many keys each service key encrypts. The result has the service keys of the settings, and all other service keys that the
 * database needs.
 */
async function readUses(pool: Pool, serviceKey: string, otherKeys: readonly string[]): Promise<KeyUse[]> {
  const counts = new Map((await countKeysByServiceKey(pool)).map(({ keyId, count }) => [keyId, count]));
  const signing = (await findSigningKeys(pool)).map(({ keyId }) => keyId);
  const rootKeyId = await keyIdOfRootSecret(pool);
  const [currentId, otherIds] = [serviceKeyId(serviceKey), otherKeys.map(serviceKeyId)];
  const keyIds = new Set([
    currentId,
    ...otherIds,
    ...(rootKeyId === undefined ? [] : [rootKeyId]),
    ...counts.keys(),
    ...signing,
  ]);
  return [...keyIds].map((keyId) => ({
    keyId,
    setting: keyId === currentId ? 'SERVICE_KEY' : otherIds.includes(keyId) ? 'OTHER_SERVICE_KEYS' : 'missing',
    rootSecret: keyId === rootKeyId,
    dataKeys: counts.get(keyId) ?? 0,
    signingKeys: signing.filter((id) => id === keyId).length,
  }));
}

/** How many keys in the database one service key encrypts. */
const keyCountOf = ({ rootSecret, dataKeys, signingKeys }: KeyUse) => Number(rootSecret) + dataKeys + signingKeys;

/** How many keys in the database are still encrypted with other service keys than SERVICE_KEY. */
const remainingOf = (uses: readonly KeyUse[]) =>
  uses.filter(({ setting }) => setting !== 'SERVICE_KEY').reduce((sum, use) => sum + keyCountOf(use), 0);

function formatUses(uses: readonly KeyUse[]): string {
  const rows = uses.map(({ keyId, setting, rootSecret, dataKeys, signingKeys }) => [
    keyId,
    setting === 'missing' ? 'not in the settings' : setting,
    rootSecret ? 'yes' : 'no',
    String(dataKeys),
    String(signingKeys),
  ]);
  const header = ['service key', 'setting', 'root secret', 'data keys', 'signing keys'];
  return formatColumns([header, ...rows]);
}

/** Whether the settings lack a service key that the database needs. */
const hasMissingKey = (uses: readonly KeyUse[]) => uses.some((use) => use.setting === 'missing' && keyCountOf(use) > 0);

/** What the operator should do next. `hasOtherKeys`: whether OTHER_SERVICE_KEYS has keys. */
function adviceOf(uses: readonly KeyUse[], hasOtherKeys: boolean): string {
  if (hasMissingKey(uses))
    return 'The database needs a service key that is not in the settings. Add this key to OTHER_SERVICE_KEYS.\n';
  if (remainingOf(uses) > 0)
    return 'Some keys in the database are still encrypted with an earlier service key. The API encrypts them again with SERVICE_KEY, at its start and every hour. Keep OTHER_SERVICE_KEYS until this command says that the database needs only SERVICE_KEY.\n';
  return `The database needs only SERVICE_KEY.${hasOtherKeys ? ' You can remove OTHER_SERVICE_KEYS.' : ''}\n`;
}

const pollMs = 500;

/** Shows which service keys the database needs. Returns the exit code: 1 if a key is missing or the command failed. */
export function runKeys(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const options = { wait: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    const { values } = parseArgs({ args: [...args], options });
    if (values.help) {
      stdout.write(usage);
      return 0;
    }
    const { pool, settings } = open(readKeysConfig);
    const read = () => readUses(pool, settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS);
    let uses = await read();
    const total = remainingOf(uses);
    while (values.wait && remainingOf(uses) > 0 && !hasMissingKey(uses)) {
      const line = `${total - remainingOf(uses)} of ${total} keys are encrypted with SERVICE_KEY`;
      stdout.write(stdout.isTTY ? `\r${line}` : `${line}\n`);
      await sleep(pollMs);
      uses = await read();
    }
    const advice = adviceOf(uses, settings.OTHER_SERVICE_KEYS.length > 0);
    stdout.write(`${values.wait && stdout.isTTY ? '\n' : ''}${formatUses(uses)}\n${advice}`);
    return hasMissingKey(uses) ? 1 : 0;
  });
}
