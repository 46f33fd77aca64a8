import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command.mjs';
import { cachedFolder, runGo } from './cached-folder.mjs';
import { installWithApt } from './apt.mjs';
import { findOnPath } from './find-program.mjs';
import { runWithProgress } from './progress.mjs';

/** The release that production runs: docs/connections.md describes no setting that other releases need. */
const temporalVersion = '1.29.1';
/** The newest release that is published as a Go module. */
const toxiproxyVersion = '2.5.0';

const temporal = {
  name: 'temporal-server',
  version: temporalVersion,
  label: `Building the Temporal server ${temporalVersion} with Go (once, 3 to 10 minutes)`,
  modules: [
    `go.temporal.io/server/cmd/server@v${temporalVersion}`,
    `go.temporal.io/server/cmd/tools/sql@v${temporalVersion}`,
  ],
};
const toxiproxy = {
  name: 'toxiproxy',
  version: toxiproxyVersion,
  label: 'Building toxiproxy with Go (once)',
  modules: [`github.com/Shopify/toxiproxy/v2/cmd/server@v${toxiproxyVersion}`],
};

/** Builds Go programs into the cache, and returns their folder. Each is named like the last folder of its module. */
const buildCached = ({ name, version, label, modules }) =>
  cachedFolder(`${name}-${version}`, async (folder) => {
    for (const module of modules) await runWithProgress(label, () => runGo(['install', module], folder));
  });

/** HAProxy is in a folder that is only on the PATH of root. */
const findHaproxy = () => findOnPath('haproxy') ?? ['/usr/sbin/haproxy'].find(existsSync);

/** Installs cpulimit, which limits a process to a share of a core. Returns its path. Throws CommandError. */
export async function installCpulimit() {
  if (!findOnPath('cpulimit')) await installWithApt('cpulimit', 'cpulimit');
  const cpulimit = findOnPath('cpulimit');
  if (cpulimit) return cpulimit;
  throw new CommandError('cpulimit is missing. Install it, as with `apt-get install cpulimit`.');
}

/** The library that gives a process another time. Debian installs it below a folder that is named after the processor. */
const findFaketime = () =>
  readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime', 'libfaketimeMT.so.1'))
    .find(existsSync);

/**
 * Installs the programs of `npm run chaos -- --cluster`. Returns their paths. Throws CommandError if one is missing and cannot be installed.
 * @returns {Promise<{ temporalServer: string, temporalSqlTool: string, toxiproxy: string, haproxy: string, faketimeLibrary: string }>}
 */
export async function installClusterPrograms() {
  const installPackages = async () => {
    if (!findHaproxy() || !findFaketime()) await installWithApt('HAProxy and libfaketime', 'haproxy', 'libfaketime');
    const [haproxy, faketimeLibrary] = [findHaproxy(), findFaketime()];
    if (haproxy && faketimeLibrary) return { haproxy, faketimeLibrary };
    throw new CommandError(
      'HAProxy or libfaketime is missing. Install both, as with `apt-get install haproxy libfaketime`.',
    );
  };
  // One after the other: each build uses all cores.
  const buildPrograms = async () => [await buildCached(temporal), await buildCached(toxiproxy)];
  const [packages, [temporalFolder, toxiproxyFolder]] = await Promise.all([installPackages(), buildPrograms()]);
  return {
    ...packages,
    temporalServer: join(temporalFolder, 'server'),
    temporalSqlTool: join(temporalFolder, 'sql'),
    toxiproxy: join(toxiproxyFolder, 'server'),
  };
}
