import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError, root, runCommand } from './install/command.mjs';
import { prepareStack } from './install/prepare-stack.mjs';

const usage = `Usage: npm start
       npm run dev
Installs what is missing, and starts Postgres, Temporal, the inbox, the worker and the API on 127.0.0.1. Ctrl-C stops all of them.
npm run dev also restarts what your changes concern, and reloads the pages.
There are no options. These environment variables change the defaults: DATA_DIR (default: .data), PORT, INBOX_PORT, TEMPORAL_PORT,
TEMPORAL_UI_PORT, POSTGRES_PORT, and most settings in docs/configuration.md (section "npm start" lists the exceptions).`;

/**
 * One Ctrl-C can arrive as two signals, one from the terminal and one from npm. A second signal within this time is ignored. A later signal
 * means that the user has pressed Ctrl-C again.
 */
const duplicateSignalMs = 500;
/** How often the process checks whether npm has ended. */
const pollMs = 500;

/** Stops the stack at Ctrl-C, and when npm ends in another way. At the second Ctrl-C, this process ends, and all processes end with it. */
function stopOnRequest(stack) {
  let requestedAtMs;
  const stop = () => {
    if (Date.now() - requestedAtMs > duplicateSignalMs) process.exit(1);
    if (requestedAtMs !== undefined) return;
    requestedAtMs = Date.now();
    process.stdout.write('\nStopping … (press Ctrl-C again to kill all processes)\n');
    void stack.stopAll().finally(() => process.exit());
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop);
  const npm = process.env.npm_lifecycle_event && process.ppid;
  if (npm) setInterval(() => process.ppid === npm || requestedAtMs || stop(), pollMs).unref();
  // A closed terminal must not end this process before it has stopped the others.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

const print = (line) => process.stdout.write(`${line}\n`);
const loadBuilt = (name) => createRequire(import.meta.url)(join(root, 'dist', 'dev', 'stack', `${name}.js`));

/** Starts the stack of `npm start`. Returns its settings. */
async function start() {
  const stack = new (loadBuilt('stack').Stack)({ print });
  stopOnRequest(stack);
  await stack.startAll();
  return stack;
}

/** Starts the stack on other ports, and serves its pages from their sources at the usual ports. */
async function startWatching() {
  const { assertPortsAreFree, findFreePort } = loadBuilt('free-port');
  const { api, inbox } = loadBuilt('settings').readStackSettings(root, process.env).ports;
  await assertPortsAreFree({ api, inbox });
  const [apiPort, inboxPort, reloadPort] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const env = { PUBLIC_URL: process.env.PUBLIC_URL || `http://127.0.0.1:${api}` };
  const stack = new (loadBuilt('stack').Stack)({ print, env, ports: { api: apiPort, inbox: inboxPort } });
  stopOnRequest(stack);
  const { servePages } = await import('./install/serve-pages.mjs');
  const { watchSources } = await import('./install/watch-sources.mjs');
  const ports = new Map([
    [api, apiPort],
    [inbox, inboxPort],
  ]);
  const [vite] = await Promise.all([servePages(ports, reloadPort), stack.startAll()]);
  watchSources(stack, vite, print);
  return {
    isStopping: stack.isStopping,
    settings: { ...stack.settings, ports: { ...stack.settings.ports, api, inbox } },
  };
}

await runCommand(async () => {
  const startedAtMs = Date.now();
  const isWatching = process.argv[2] === '--watch';
  const option = process.argv[isWatching ? 3 : 2];
  if (option !== undefined) throw new CommandError(`There is no option ${option}.\n${usage}`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new CommandError(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`);
  await prepareStack();
  const { isStopping, settings } = await (isWatching ? startWatching() : start());
  if (!isStopping) print(loadBuilt('startup-message').startupMessage(settings, Date.now() - startedAtMs));
}, usage);
