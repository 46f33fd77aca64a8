/** The folders with a lock file, relative to the repository. The second one has what the benchmark `peers` compares us with. */
export const lockedFolders = ['', 'bench/peers'];

/** Licences that let us distribute the product. The LGPL is here for a library that `sharp` loads at run time. */
const licences = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'Unlicense',
]);
/** Licences of tools that we use and do not distribute. */
const toolLicences = new Set([
  ...licences,
  'Artistic-2.0',
  'CC-BY-3.0',
  'EPL-2.0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  'WTFPL',
]);

function isAllowedLicence({ license: licence, dev }) {
  const allowed = dev ? toolLicences : licences;
  const names = licence.replace(/[()]/g, '').split(/ (AND|OR) /);
  const parts = names.filter((_, index) => index % 2 === 0);
  return names.includes('OR') ? parts.some((name) => allowed.has(name)) : parts.every((name) => allowed.has(name));
}

/** The name of a package from its path in the lock file. */
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** What is wrong with one package. `entry`: its entry in the lock file. */
function* entryIssues(path, entry, allowScripts) {
  const name = nameOf(path);
  // `npm run lock` adds packages of other platforms that the registry does not offer, so these packages have no hash.
  const isAddedByLock = entry.optional && entry.os && !entry.license;
  if (!entry.integrity && !isAddedByLock) yield `${name} has no hash in package-lock.json. Run npm install.`;
  if (entry.integrity && !entry.integrity.startsWith('sha512-')) yield `${name} has a weak hash: ${entry.integrity}.`;
  if (entry.resolved) yield `${name} comes from ${entry.resolved}. Run npm run lock, or use a package of the registry.`;
  if (entry.license && !isAllowedLicence(entry))
    yield `${name} has the licence ${entry.license}. Replace it, or allow the licence in dev/install/package-issues.mjs.`;
  if (entry.hasInstallScript && allowScripts[name] === undefined)
    yield `${name} has an install script. Decide on it in allowScripts of package.json.`;
}

/**
 * What is wrong with the packages of a project. Finds versions that are not exact, missing or weak hashes, and packages that do not come
 * from the registry. Also finds licences that are not allowed, and install scripts that are not in `allowScripts`.
 */
export function packageIssues(manifest, lock) {
  const { dependencies = {}, devDependencies = {}, allowScripts = {} } = manifest;
  const inexact = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
  return [
    ...inexact.map(([name, version]) => `${name}: ${version} is not an exact version.`),
    ...Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .flatMap(([path, entry]) => [...entryIssues(path, entry, allowScripts)]),
  ];
}
