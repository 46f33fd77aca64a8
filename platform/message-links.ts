import LinkifyIt from 'linkify-it';
import topLevelDomains from 'tlds';

/** Finds links. `fuzzyIP`: also finds IP addresses such as 203.0.113.7, because phones show them as links. */
const linkify = new LinkifyIt({}, { fuzzyIP: true }).tlds([...topLevelDomains]);

/** Finds addresses with any scheme, such as `intent://…`. */
const anyScheme = /[a-z][a-z0-9+.-]*:\/\/\S*/gi;

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;

/** Replaces full-width and ideographic dots by normal dots, because phones recognize domains with such dots. */
const withPlainDots = (text: string) => text.normalize('NFKC').replaceAll('。', '.');

/**
 * Finds everything in a text that phones show as a link, even without `https://`. `raw`: the text of the link. `host`: the host of the
 * link; undefined if its address is neither http nor https. Mail addresses do not count as links.
 */
function findLinks(text: string): { raw: string; host: string | undefined }[] {
  const plainText = withPlainDots(text);
  const links = [
    ...(linkify.match(plainText) ?? [])
      .filter(({ schema }) => schema !== 'mailto:')
      .map(({ raw, url }) => ({ raw, url })),
    ...(plainText.match(anyScheme) ?? []).map((raw) => ({ raw, url: raw })),
  ];
  return links.map(({ raw, url }) => ({
    raw,
    host: /^(?:https?:)?\/\//i.test(url) ? hostOf(url.replace(/^\/\//, 'https://')) : undefined,
  }));
}

/** The hosts of the links in a text. */
export const linkHosts = (text: string): string[] => findLinks(text).flatMap(({ host }) => host ?? []);

/** The first link in a text that does not lead to one of `domains` or to one of their subdomains. Undefined if there is none. */
export const findForeignLink = (text: string, domains: readonly string[]): string | undefined =>
  findLinks(text).find(
    ({ host }) => host === undefined || !domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  )?.raw;
