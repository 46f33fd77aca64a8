import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { ApiWorld } from '../api-world';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open({ DEFAULT_LANGUAGE: 'es' });
});
afterAll(() => world.close());

/** The language of the page /flows. The request is not sent with `fetch`, because `fetch` adds the header Accept-Language. */
async function languageOfPage(headers: Record<string, string>): Promise<string | undefined> {
  const html = await new Promise<string>((resolve, reject) => {
    get(`${world.address}/flows`, { headers }, (response) => resolve(text(response))).on('error', reject);
  });
  return /<html lang="([^"]+)"/.exec(html)?.[1];
}

test('a page has a language that the browser accepts, otherwise the default language', async () => {
  expect(await languageOfPage({ 'accept-language': 'en-US,en;q=0.9' })).toBe('en');
  expect(await languageOfPage({ 'accept-language': 'fr' })).toBe('es');
  expect(await languageOfPage({})).toBe('es');
});
