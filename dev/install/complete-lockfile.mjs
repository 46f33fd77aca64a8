import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

// npm omits native packages that its registry does not offer, and `npm ci` then rejects the lock file. Listed as optional with
// their platform, they are installed only where they fit.

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** Reads os, cpu and libc from the name of a native package, such as `@swc/core-linux-arm-gnueabihf`. */
function platformOf(name) {
  const words = name.split(/[-/]/);
  const cpu = processors.find((processor) => words.includes(processor));
  const os = systems.find((system) => words.includes(system)) ?? (words.includes('windows') ? 'win32' : undefined);
  if (!cpu || !os) return undefined;
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return { cpu: [cpu], ...(os === 'linux' && { libc: [libc] }), os: [os] };
}

const isExact = (version) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);

const lockFile = join(root, 'package-lock.json');
const text = readFileSync(lockFile, 'utf8');
const lock = JSON.parse(text);
const added = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`;
    const top = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[top] || !isExact(version)) continue;
    const platform = platformOf(name);
    if (!platform) continue;
    lock.packages[top] = { version, ...(entry.dev && { dev: true }), optional: true, ...platform };
    added.push(`${name}@${version}`);
  }
}
let stripped = 0;
for (const entry of Object.values(lock.packages)) {
  if (!entry.resolved || entry.link) continue;
  delete entry.resolved;
  stripped += 1;
}
const byName = ([left], [right]) => left.localeCompare(right, 'en');
lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(byName));
const completed = `${JSON.stringify(lock, null, 2)}\n`;
if (completed !== text) writeFileSync(lockFile, completed);
for (const name of added) console.log(`added ${name}`);
console.log(`package-lock.json: ${added.length} native packages added, ${stripped} registry addresses removed`);
