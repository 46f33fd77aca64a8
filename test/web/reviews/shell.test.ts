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
  expect(html).toContain('Loja &lt;b>&amp;');
  expect(html).not.toContain('Loja <b>');
});

it('browsers keep the files of the page, because their names change with their content', async () => {
  const html = await (await fetch(fake.url)).text();
  const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => String(address));
  expect(files.length).toBeGreaterThan(3);
  for (const file of files) {
    const response = await fetch(new URL(file, fake.url));
    expect([file, response.status, response.headers.get('cache-control')]).toEqual([
      file,
      200,
      expect.stringMatching(/immutable/),
    ]);
    // During a release, a page of another version may name a file with another hash. The service returns its own file under this name.
    const ofOtherBuild = await fetch(new URL(file.replace(/-[\w-]{8}\./, '-00000000.'), fake.url));
    expect([file, ofOtherBuild.status, ofOtherBuild.headers.get('cache-control')]).toEqual([file, 200, 'no-store']);
    expect(await ofOtherBuild.text()).toBe(await response.text());
  }
});
