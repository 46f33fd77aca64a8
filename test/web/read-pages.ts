import type { ApiWorld } from '../api/api-world';

/** The HTML of all pages, by path. Finds the pages by their links, starting at `/`. */
export async function readPages(world: ApiWorld): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { status, headers, body } = await world.request(path, { token: null });
    if (status !== 200 || !headers.get('content-type')?.startsWith('text/html')) continue;
    pages.set(path, String(body));
    waiting.push(...targetsOf(String(body)).map(({ path: target }) => target));
  }
  return pages;
}

/** Links and files on this site. `ownPath`: the path of the page, for links without a path. */
export function targetsOf(html: string, ownPath = ''): { path: string; anchor: string | undefined }[] {
  const addresses = Array.from(html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g), ([, address = '']) => address);
  return addresses
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path, anchor] = address.split('#');
      return { path: path || ownPath, anchor };
    });
}

export const idsOf = (html: string) => Array.from(html.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => id);
