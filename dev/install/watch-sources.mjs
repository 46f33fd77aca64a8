import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { buildSources, bundleFile, dist, folders, isSource, pageInputs, runBuild } from './build-project.mjs';
import { root } from './command.mjs';

const loadBundler = () => createRequire(import.meta.url)(join(dist, 'worker', 'bundle.js'));
/** The first file of each process, and of the workflow bundle, which the worker runs. */
const entries = {
  worker: 'worker/main.js',
  api: 'api/main.js',
  inbox: 'dev/inbox/main.js',
  bundle: 'workflows/index.js',
};
/** Editors save several files at the same time. */
const collectMs = 30;
/** Time for a process to end. Requests and activities that take longer are repeated. */
const stopWithinMs = 2_000;
/** What the API renders or has rendered during the build. Vite serves everything else in web/. */
const isRendered = (file) => /^(docs|bench)\/|^\w+\.md$|^web\/(site|server|browser|hosted|not-found|kit)\//.test(file);

/** The files in dist/ that a file loads: its imports, and the modules that it names for a thread, such as `'api/flows/compute/flow-tasks'`. */
function loadedFiles(file, found = new Set()) {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  const names = readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]+)"\)|'((?:api|activities|platform)\/[\w/-]+)'/g);
  for (const [, path, module] of names)
    loadedFiles(path ? resolve(dirname(file), `${path}.js`) : join(dist, `${module}.js`), found);
  return found;
}

/** Builds what these source files change, and restarts the processes that load it. Returns what it did. */
async function update(files, stack) {
  const sources = files.filter(isSource);
  await buildSources(sources);
  const outputs = sources.map((file) => join(dist, file.replace(/\.ts$/, '.js')));
  const isConcerned = ([, entry]) => {
    const loaded = loadedFiles(join(dist, entry));
    return outputs.some((output) => loaded.has(output));
  };
  const concerned = new Set(
    Object.entries(entries)
      .filter(isConcerned)
      .map(([name]) => name),
  );
  const isBundled = concerned.delete('bundle');
  if (isBundled) concerned.add('worker');
  if (files.some(isRendered)) {
    await runBuild(join(root, 'dev', 'install', 'build-web.mjs'), '--uncompressed');
    // Both read the list of the built pages when they start.
    concerned.add('api').add('inbox');
  }
  const bundling = isBundled && loadBundler().buildWorkflowBundle(bundleFile);
  const restart = async (name) => {
    await stack.stop(name, stopWithinMs);
    if (name === 'worker') await bundling;
    await stack.start(name);
  };
  await Promise.all([bundling, ...[...concerned].map(restart)]);
  return [...concerned];
}

/** Rebuilds and restarts what changes, until this process ends. `vite` watches the files, and reloads the pages. */
export function watchSources(stack, vite, print) {
  // The compiler and the bundler take seconds to load.
  void buildSources([]).then(loadBundler);
  const changed = new Set();
  let running;
  const run = async () => {
    while (changed.size > 0) {
      const files = [...changed];
      changed.clear();
      const startedAtMs = Date.now();
      const names = await update(files, stack).catch((error) => void print(`${files.join(', ')}: ${error.message}`));
      if (!names?.length) continue;
      print(
        `${files.join(', ')}: restarted ${names.join(', ')} in ${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s`,
      );
      if (names.includes('api')) vite.ws.send({ type: 'full-reload' });
    }
    running = undefined;
  };
  vite.watcher.add([...folders, ...pageInputs].map((name) => join(root, name)));
  vite.watcher.on('all', (event, path) => {
    if (!['add', 'change'].includes(event)) return;
    changed.add(relative(root, path));
    running ??= setTimeout(() => void run(), collectMs);
  });
}
