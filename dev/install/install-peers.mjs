import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cachedFolder } from './cached-folder.mjs';
import { CommandError, root } from './command.mjs';
import { runWithProgress } from './progress.mjs';
import { installRedis } from './programs.mjs';
import { lastLines, runNpm } from './run-program.mjs';

const folder = join(root, 'bench', 'peers');
const files = ['package.json', 'package-lock.json'];

async function installPackages(partial) {
  for (const file of files) copyFileSync(join(folder, file), join(partial, file));
  // pg-boss wants Node 22.12, and also runs with Node 20.19, which has all that it uses.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--include=dev', '--no-engine-strict'];
  const { code, output } = await runWithProgress('Installing the packages of the peers (npm ci)', () =>
    runNpm(['ci', ...options], { cwd: partial }),
  );
  if (code === 0) return;
  throw new CommandError(
    `${lastLines(output, 12)}\nInstalling the packages of bench/peers failed. Check the network and \`npm config get registry\`, then run this command again.`,
  );
}

/**
 * Installs Redis, and the packages of bench/peers in the cache of the user. Links the packages into bench/peers, where its programs find
 * them. Sets REDIS_SERVER_PATH. Throws CommandError.
 */
export async function installPeers() {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const [redis, packages] = await Promise.all([installRedis(), cachedFolder(`peers-${digest}`, installPackages)]);
  const link = join(folder, 'node_modules');
  rmSync(link, { recursive: true, force: true });
  symlinkSync(join(packages, 'node_modules'), link);
  process.env.REDIS_SERVER_PATH = redis;
}
