import { ApiWorld, problemShape } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
afterAll(() => world.close());

/** What browsers send when a user opens an address. */
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const open = (path: string, headers: Record<string, string> = {}) =>
  world.request(path, { token: null, headers: { accept: browserAccept, ...headers } });

const linksOf = (html: unknown) =>
  Array.from(String(html).matchAll(/<a class="button[^"]*" href="([^"]*)"/g), ([, href]) => href);

test.each([
  ['/flow', '/flows'],
  ['/reviews/x', '/reviews'],
  ['/dosc', '/docs'],
  ['/nowhere', undefined],
  ['/%ff', undefined],
  ['/flows/session', '/flows'],
  ['/codec/sign-in', undefined],
])('a browser that opens %s gets a page with the status 404 (suggested page: %s)', async (path, suggested) => {
  const response = await open(path);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'none'");
  expect(response.body).toContain('<h1>Esta página não existe</h1>');
  expect(response.body).toContain(response.headers.get('x-request-id'));
  expect(linksOf(response.body)).toEqual([...new Set([suggested ?? '/docs', '/docs'])]);
  for (const link of linksOf(response.body)) expect((await open(link ?? '')).status).toBe(200);
});

test.each([
  ['en', 'This page does not exist', 'Did you mean <code>GET /v1/flows</code>?'],
  ['pt-BR', 'Esta página não existe', 'Você quis dizer <code>GET /v1/flows</code>?'],
  ['es', 'Esta página no existe', '¿Quiso decir <code>GET /v1/flows</code>?'],
])('the page in the language %s names the operation that the address probably means', async (language, ...texts) => {
  const response = await open('/v1/flwos', { 'accept-language': language });
  expect(response.headers.get('content-language')).toBe(language);
  expect(response.headers.get('vary')).toContain('Accept-Language');
  for (const text of texts) expect(response.body).toContain(text);
});

test('the page has no text of the address, so nobody can put a message into it', async () => {
  const { body } = await open('/call-our-support-now?text=call-our-support-now', { 'accept-language': 'en' });
  expect(body).toContain('This page does not exist');
  expect(body).not.toContain('call-our-support-now');
});

test.each([['*/*'], ['application/json'], ['application/problem+json, text/html'], ['']])(
  'a program that accepts "%s" gets a problem',
  async (accept) => {
    for (const path of ['/flow', '/reviews/x', '/v1/flwos'])
      expect((await world.request(path, { token: null, headers: { accept } })).body).toEqual(
        problemShape('not_found', 404),
      );
  },
);

test('a request with another method, and every other problem, gets a problem also in a browser', async () => {
  const post = await world.request('/flow', { method: 'POST', token: null, headers: { accept: browserAccept } });
  expect(post.body).toEqual(problemShape('not_found', 404));
  expect((await open('/v1/flows')).body).toEqual(problemShape('unauthorized', 401));
  expect((await open('/oauth2/token')).body).toEqual(problemShape('method_not_allowed', 405));
});
