import { FakeReviews } from './fake-reviews';

let fake: FakeReviews;
beforeAll(async () => {
  fake = await FakeReviews.open();
});
afterAll(() => fake.close());

it('the page loads nothing from other hosts and is not cached', async () => {
  const { headers } = await fetch(fake.url);
  expect(headers.get('content-security-policy')?.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' blob:",
    "script-src 'self'",
    "style-src 'self'",
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('the page has no inline script or style, and escapes the brand', async () => {
  const html = await (await fetch(fake.url)).text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  expect(html).toContain('Loja &lt;b&gt;&amp;');
  expect(html).not.toContain('Loja <b>');
});

it('the page lets browsers cache only files of its own version, and no other files are served', async () => {
  const files = [...(await (await fetch(fake.url)).text()).matchAll(/(?:href|src)="([^"]+)"/g)].map(
    ([, address]) => address,
  );
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const response = await fetch(new URL(String(file), fake.url));
    expect([file, response.status, response.headers.get('cache-control')]).toEqual([
      file,
      200,
      expect.stringMatching(/immutable/),
    ]);
  }
  const other = await fetch(new URL('/reviews/assets/0/pages/browser/style.css', fake.url));
  expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'no-store']);
  for (const name of ['..%2freviews.ts', '..%2f..%2f..%2fpackage.json', 'constructor', 'main.mjs'])
    expect((await fetch(new URL(`/reviews/assets/0/reviews/browser/${name}`, fake.url))).status).not.toBe(200);
});
