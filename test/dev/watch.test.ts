import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

// `npm run dev`, without the processes of the stack.

const root = path.join(__dirname, '..', '..');
const bundle = path.join(root, 'dist', 'workflow-bundle.js');

/** Jest cannot load ES modules, so they run in their own process. Returns the JSON that the code prints last. */
async function runModule(code: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: root });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** Reports a change of a file, and returns which processes restart. */
const restartsAfter = (file: string) =>
  runModule(`
    import { EventEmitter } from 'node:events';
    import { watchSources } from './dev/install/watch-sources.mjs';
    const calls = [];
    const stack = { stop: async (name) => calls.push('stop ' + name), start: async (name) => calls.push('start ' + name) };
    const watcher = Object.assign(new EventEmitter(), { add: () => undefined });
    watchSources(stack, { watcher, ws: { send: () => calls.push('reload') } }, () => console.log(JSON.stringify(calls)));
    watcher.emit('all', 'change', ${JSON.stringify(path.join(root, file))});
  `);

test.each([
  ['worker/main.ts', ['stop worker', 'start worker']],
  ['dev/inbox/main.ts', ['stop inbox', 'start inbox']],
  ['api/routes.ts', ['stop api', 'start api']],
  ['api/flows/compute/flow-tasks.ts', ['stop api', 'start api']],
])('a change of %s restarts only the processes that load it', async (file, calls) => {
  const builtBefore = statSync(bundle).mtimeMs;
  expect(await restartsAfter(file)).toEqual(calls);
  expect(statSync(bundle).mtimeMs).toBe(builtBefore);
});

test('a change of the workflows builds their bundle again before the worker starts', async () => {
  const builtBefore = statSync(bundle).mtimeMs;
  const startedAt = await runModule(`
    import { EventEmitter } from 'node:events';
    import { statSync } from 'node:fs';
    import { watchSources } from './dev/install/watch-sources.mjs';
    const start = async () => console.log(JSON.stringify(statSync(${JSON.stringify(bundle)}).mtimeMs));
    const watcher = Object.assign(new EventEmitter(), { add: () => undefined });
    watchSources({ stop: async () => undefined, start }, { watcher, ws: { send: () => undefined } }, () => undefined);
    watcher.emit('all', 'change', ${JSON.stringify(path.join(root, 'workflows', 'commands.ts'))});
  `);
  expect(startedAt).toBeGreaterThan(builtBefore);
});

test('a page loads its source instead of the built files, and waits for the API while it restarts', async () => {
  const { entries } = JSON.parse(readFileSync(path.join(root, 'dist', 'web', 'manifest.json'), 'utf8')) as {
    entries: Record<string, { script: string; styles: string[] }>;
  };
  const { script, styles } = entries['codec'] ?? { script: '', styles: [] };
  const links = styles.map((href) => `<link rel="stylesheet" href="${href}"/>`).join('');
  const html = `<head><link rel="icon" href="/assets/logo.svg"/>${links}<script type="module" src="${script}"></script></head>`;
  const result = (await runModule(`
    import { createServer } from 'node:http';
    import getPort from 'get-port';
    import { servePages } from './dev/install/serve-pages.mjs';
    const [shown, api, reload] = [await getPort(), await getPort(), await getPort()];
    const vite = await servePages(new Map([[shown, api]]), reload);
    const url = 'http://127.0.0.1:' + shown;
    const waiting = fetch(url + '/codec');
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" };
    // At first, nobody listens. Then a process listens that is about to end.
    let count = 0;
    const answer = ({ socket }, response) => (count++ === 0 ? socket.destroy() : response.writeHead(200, headers).end(${JSON.stringify(html)}));
    setTimeout(() => createServer(answer).listen(api, '127.0.0.1'), 500);
    const response = await waiting;
    const source = await (await fetch(url + '/@web/codec/main.tsx')).text();
    console.log(JSON.stringify({ html: await response.text(), policy: response.headers.get('content-security-policy'), source }));
    process.exit();
  `)) as { html: string; policy: string | null; source: string };
  expect(result.html).toBe(
    '<head><link rel="icon" href="/assets/logo.svg"/><script type="module" src="/@web/codec/main.tsx"></script></head>',
  );
  expect(result.policy).toBeNull();
  expect(result.source).toContain("import '/@web/@vite/client';");
});
