import type { ApiWorld } from '../api/api-world';

/** The HTML of all pages of the site by path, found by following links from the first page. */
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

/** The links and the files of a page that are on this site. A link without a path has the path of its page. */
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
