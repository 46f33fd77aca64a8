import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';
import { lockedFolders } from './package-issues.mjs';

// npm omits native packages that its registry does not offer, and `npm ci` then rejects the lock file. This script adds these packages to
// the lock file. It marks each package as optional and adds its platform, so that npm installs the package only on this platform.

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Reads os, cpu and libc from the name of a native package, such as `@swc/core-linux-arm-gnueabihf`. */
function platformOf(name) {
  const nameParts = name.split(/[-/]/);
  const cpu = processors.find((processor) => nameParts.includes(processor));
  const os =
    systems.find((system) => nameParts.includes(system)) ?? (nameParts.includes('windows') ? 'win32' : undefined);
  if (!cpu || !os) return undefined;
  const libc = nameParts.some((part) => part.startsWith('musl')) ? 'musl' : 'glibc';
  return { cpu: [cpu], ...(os === 'linux' && { libc: [libc] }), os: [os] };
}

const isExact = (version) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);

/** Completes the lock file of one folder. */
function completeLockFile(folder) {
  const lockFile = join(root, folder, 'package-lock.json');
  const text = readFileSync(lockFile, 'utf8');
  const lock = JSON.parse(text);
  const addedPackages = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const nestedPath = `${path}/node_modules/${name}`;
      const topPath = `node_modules/${name}`;
      if (lock.packages[nestedPath] || lock.packages[topPath] || !isExact(version)) continue;
      const platform = platformOf(name);
      if (!platform) continue;
      lock.packages[topPath] = { version, ...(entry.dev && { dev: true }), optional: true, ...platform };
      addedPackages.push(`${name}@${version}`);
    }
  }
  // Without addresses in the lock file, npm uses the registry that the user has set.
  let removedCount = 0;
  for (const entry of Object.values(lock.packages)) {
    if (!entry.resolved || entry.link) continue;
    delete entry.resolved;
    removedCount += 1;
  }
  const compareNames = ([left], [right]) => left.localeCompare(right, 'en');
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(compareNames));
  const completedText = `${JSON.stringify(lock, null, 2)}\n`;
  if (completedText !== text) writeFileSync(lockFile, completedText);
  for (const name of addedPackages) console.log(`added ${name}`);
  console.log(
    `${join(folder, 'package-lock.json')}: ${addedPackages.length} native packages added, ${removedCount} registry addresses removed`,
  );
}

for (const folder of lockedFolders) completeLockFile(folder);
