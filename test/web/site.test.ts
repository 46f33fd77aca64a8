import { readdirSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { problems } from '../../api/http/problems';
import { ApiWorld, problemShape } from '../api/api-world';
import { idsOf, readPages, targetsOf } from './read-pages';

let world: ApiWorld;
let pages: Map<string, string>;
beforeAll(async () => {
  world = await ApiWorld.open();
  pages = await readPages(world);
});
afterAll(() => world.close());

/** Requests a path without an access token. */
const get = (target: string, headers: Record<string, string> = {}) => world.request(target, { token: null, headers });

test('every guide and every decision record is on the site', () => {
  const listed = (folder: string) =>
    readdirSync(path.join(__dirname, '..', '..', folder)).filter((file) => file.endsWith('.md'));
  const guidePages = Array.from(pages.keys()).filter((page) => /^\/docs\/[\w-]+$/.test(page));
  const others = [
    '/docs/api',
    '/docs/problems',
    '/docs/decisions',
    '/docs/quickstart',
    '/docs/benchmarks',
    '/docs/changelog',
  ];
  expect(guidePages).toEqual(expect.arrayContaining(others));
  expect(guidePages).toHaveLength(listed('docs').length + others.length);
  const decisions = idsOf(pages.get('/docs/decisions') ?? '').filter((id) => id.startsWith('decision-'));
  expect(decisions).toHaveLength(listed('docs/decisions').length);
});

test('every page and every file to which a page links exists', async () => {
  const broken: string[] = [];
  const statuses = new Map<string, number>();
  for (const [page, html] of pages) {
    for (const { path: target, anchor } of targetsOf(html, page)) {
      const targetPage = pages.get(target);
      if (targetPage === undefined && !statuses.has(target)) statuses.set(target, (await get(target)).status);
      const exists = targetPage === undefined ? statuses.get(target) === 200 : true;
      const hasAnchor = !anchor || targetPage === undefined || idsOf(targetPage).includes(decodeURIComponent(anchor));
      if (!exists || !hasAnchor) broken.push(`${page}: ${target}#${anchor ?? ''}`);
    }
  }
  expect(broken).toEqual([]);
  expect(statuses.size).toBeGreaterThan(20);
});

test('no page has two elements with the same id, or a link inside another link', () => {
  for (const [page, html] of pages) {
    const ids = idsOf(html);
    expect([page, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([page, []]);
    const nested = /<a [^>]*>(?:(?!<\/a>).)*<a /s.exec(html)?.[0];
    expect([page, nested]).toEqual([page, undefined]);
  }
});

test('every problem has an entry at the URL of its type, with status, cause, fix and example', async () => {
  const html = pages.get('/docs/problems') ?? '';
  const codes = Array.from(html.matchAll(/data-problem="(\w+)"/g), ([, code = '']) => code);
  expect(codes.toSorted()).toEqual(Object.keys(problems).toSorted());
  const { body } = await world.request('/nowhere', { token: null });
  const { pathname, hash } = new URL((body as { type: string }).type);
  expect([pathname, idsOf(html).includes(hash.slice(1))]).toEqual(['/docs/problems', true]);
  const [, entry = ''] = /data-problem="insufficient_scope"(.*?)<\/section>/s.exec(html) ?? [];
  const text = entry.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"');
  const { status, title, detail } = problems.insufficient_scope;
  expect(text).toContain(`Status${status}Cause${title}.Fix${detail}`);
  expect(text).toContain('"type": "http://127.0.0.1:3000/docs/problems#insufficient_scope"');
  // Only example bodies keep backticks, because the API sends them.
  expect(html.replace(/<pre.*?<\/pre>/gs, '')).not.toContain('`');
});

describe('the response', () => {
  const assetOf = (extension: string) =>
    targetsOf(pages.get('/') ?? '').find(({ path: target }) => target.endsWith(extension))?.path ?? '';

  test('a page has the strict content security policy, and no inline script or style', async () => {
    const { headers } = await get('/');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    for (const html of pages.values()) {
      expect(html).not.toMatch(/\sstyle="|<style|\son\w+="/);
      expect(html.match(/<script(?! type="module" src=)/g)).toBeNull();
    }
  });

  test.each(['/', '/docs', '/docs/api', '/docs/problems', '/docs/downloads/countersign.http'])(
    'the response for %s has a strong ETag, and is 304 if the browser sends this ETag',
    async (target) => {
      const first = await get(target);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{43}-(?:br|gzip)"$/);
      expect(first.headers.get('cache-control')).toBe('public, max-age=300');
      const revalidate = { 'cache-control': 'max-age=0' };
      expect(await get(target, { ...revalidate, 'if-none-match': etag })).toMatchObject({ status: 304, body: '' });
      expect(await get(target, { ...revalidate, 'if-none-match': '"other"' })).toMatchObject({ status: 200 });
    },
  );

  test.each(['.js', '.css', '.svg'])(
    'browsers keep a %s file for a year, because its name changes with its content',
    async (extension) => {
      const { status, headers } = await get(assetOf(extension));
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    },
  );

  test('a response has the best encoding that the client accepts, each with its own ETag', async () => {
    const read = async (encoding: string) => {
      const { request } = await import('undici');
      const response = await request(`${world.address}/docs/problems`, { headers: { 'accept-encoding': encoding } });
      return { headers: response.headers, bytes: Buffer.from(await response.body.arrayBuffer()) };
    };
    const [brotli, gzip, identity] = [await read('gzip, br'), await read('gzip'), await read('identity')];
    expect([brotli, gzip, identity].map(({ headers }) => headers['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
    expect(brotliDecompressSync(brotli.bytes)).toEqual(identity.bytes);
    expect(gunzipSync(gzip.bytes)).toEqual(identity.bytes);
    expect(new Set([brotli, gzip, identity].map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { headers } of [brotli, gzip, identity]) expect(headers['vary']).toBe('Accept-Encoding');
  });

  test('the response for a missing page is a page for browsers and a problem for programs', async () => {
    const html = await get('/docs/nothing', { accept: 'text/html,*/*;q=0.8' });
    expect(html).toMatchObject({ status: 404 });
    expect(html.body).toContain('This page does not exist');
    expect(html.headers.get('cache-control')).toBe('no-store');
    expect((await get('/docs/nothing')).body).toEqual(problemShape('not_found', 404));
    expect((await get('/assets/nothing.js', { accept: 'text/html' })).body).toEqual(problemShape('not_found', 404));
  });
});
