import { readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createServer as createViteServer } from 'vite';
import { shared } from './build-web.mjs';
import { root } from './command.mjs';

/** The path of everything that Vite serves. */
const base = '/@web/';
/** How long a read waits for a process that restarts, and how often it tries. */
const [restartMs, retryMs] = [20_000, 50];

/** Makes each page reload when its code changes. */
const reloadPlugin = {
  name: 'reload',
  transform: (code, id) => (/\/main\.tsx$/.test(id) ? `import '${base}@vite/client';\n${code}` : undefined),
};

/** Replaces the built script and styles of a page by its source. The source imports the styles. */
function withSources(html) {
  const { entries } = JSON.parse(readFileSync(join(root, 'dist', 'web', 'manifest.json'), 'utf8'));
  const [folder, entry] =
    Object.entries(entries).find(([, { script }]) => script && html.includes(`src="${script}"`)) ?? [];
  if (!folder) return html;
  const isReplaced = (link) => [...entry.styles, ...entry.preloads].some((file) => link.includes(`href="${file}"`));
  return html
    .replace(/<link[^>]*>/g, (link) => (isReplaced(link) ? '' : link))
    .replace(`src="${entry.script}"`, `src="${base}${folder}/main.tsx"`);
}

/** Sends a request to a process of the stack, and its answer to the browser. Pages load their sources, which their policy would forbid. */
function forward(request, response, port) {
  const { method, url: path } = request;
  const isRead = ['GET', 'HEAD'].includes(method);
  const headers = { ...request.headers, 'accept-encoding': 'identity' };
  const deadlineMs = Date.now() + restartMs;
  let upstream;
  const send = () => {
    upstream = sendRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const { 'content-security-policy': _, ...answerHeaders } = answer.headers;
      const isPage = answerHeaders['content-type']?.startsWith('text/html');
      if (isPage) delete answerHeaders['content-length'];
      response.writeHead(answer.statusCode, answerHeaders);
      if (isPage)
        text(answer)
          .then((html) => response.end(withSources(html)))
          // While the pages are built, their list is missing for a moment.
          .catch(() => response.end('<meta http-equiv="refresh" content="1">'));
      else pipeline(answer, response, () => undefined);
    });
    upstream.on('error', () => {
      const hasAnswer = response.headersSent || response.destroyed;
      if (isRead && !hasAnswer && Date.now() < deadlineMs) setTimeout(send, retryMs);
      else response.destroy();
    });
    if (isRead) upstream.end();
    else request.pipe(upstream);
  };
  response.on('close', () => upstream.destroy());
  send();
}

/**
 * Serves the pages of the stack from their sources, at the ports that a browser knows. All other requests go to the processes of the stack.
 * `ports`: the port of each process, by the port for the browser. Returns the Vite server.
 */
export async function servePages(ports, reloadPort) {
  const vite = await createViteServer({
    ...shared,
    base,
    appType: 'custom',
    cacheDir: join(root, '.cache', 'vite'),
    plugins: [reloadPlugin],
    server: { middlewareMode: true, hmr: { host: '127.0.0.1', port: reloadPort }, fs: { allow: [root] } },
  });
  for (const [shownPort, port] of ports)
    createServer((request, response) =>
      request.url.startsWith(base) ? vite.middlewares(request, response) : forward(request, response, port),
    ).listen(shownPort, '127.0.0.1');
  return vite;
}
