import { type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import type { Request, Response } from 'express';
import { Problem } from '../http/problem';
import { sharedCacheControl, wantsPage } from '../http/health';
import { pageHeaders } from '../pages/app-page';
import type { BuiltFile } from '../pages/built-pages';

/**
 * GET of a page, a download or a file of a page. If there is no such page, browsers get a page with links, and other clients get a
 * problem.
 */
export const serveSite: RawHandler<'builtPages'> = ({ builtPages: { files, findNamesake } }, request, response) => {
  const file = files.get(request.path);
  if (file) return sendFile(request, response, file);
  // During a release, the page can be from a process with another build. The names of its files then have other hashes. This process sends
  // the file of its own build. Caches must not keep this file under the name with the other hash.
  const namesake = request.path.startsWith('/assets/') ? findNamesake(request.path) : undefined;
  if (namesake) return sendFile(request, response, namesake, { isExact: false });
  const notFound = files.get('/docs/not-found');
  if (!notFound || !wantsPage(request)) throw new Problem('not_found');
  sendFile(request, response, notFound, { status: 404 });
};

/** GET /docs/: redirects to /docs. */
export const redirectToDocs: RawHandler = (_dependencies, _request, response) => response.redirect(308, '/docs');

/** Headers of a page of the documentation. Search engines may index the page, and caches may keep it, because it has no personal data. */
const { 'X-Robots-Tag': _robots, 'Cache-Control': _cache, ...headersOfPage } = pageHeaders({ language: 'en' });

/**
 * Headers of a file. If a browser opens the file as a page, the page loads and runs nothing. The headers are short, because every file has
 * them.
 */
const headersOfFile = { 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': "default-src 'none'" };

/**
 * Sends a file in the best encoding that the client accepts. Each encoding has its own ETag (RFC 9110, 8.8.3). `isExact`: whether the
 * request asked for exactly this file. If it is false, the request asked for the same file of another build, and caches must not keep the
 * response.
 */
export function sendFile(
  request: Request,
  response: Response,
  file: BuiltFile,
  { status = 200, isExact = true } = {},
): void {
  const [encoding, bytes] = [...file.bytesByEncoding].find(([name]) => request.acceptsEncodings(name)) ?? [];
  // If the client accepts no encoding of the file, it gets the file without compression (RFC 9110, 12.5.3).
  const body = bytes ?? file.bytesByEncoding.get('identity');
  const isPage = file.type.startsWith('text/html');
  response
    .status(status)
    .set({
      ...(isPage ? headersOfPage : headersOfFile),
      'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : sharedCacheControl,
      ...(status === 200 && isExact
        ? { ETag: `"${file.hash}-${encoding ?? 'identity'}"` }
        : { 'Cache-Control': 'no-store' }),
      Vary: 'Accept-Encoding',
      ...(encoding && encoding !== 'identity' ? { 'Content-Encoding': encoding } : {}),
      ...(file.download === undefined ? {} : { 'Content-Disposition': `attachment; filename="${file.download}"` }),
      'Content-Type': file.type,
    })
    .send(body);
}

/** The page at / and the documentation. Their source is in web/. */
export const sitePages: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/', serveSite),
  undocumentedRoute('get', '/docs', serveSite),
  undocumentedRoute('get', '/docs/', redirectToDocs),
  undocumentedRoute('get', '/docs/{page}', serveSite),
  undocumentedRoute('get', '/docs/{folder}/{page}', serveSite),
  undocumentedRoute('get', '/assets/{file}', serveSite, 'none'),
];
