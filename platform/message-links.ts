import LinkifyIt from 'linkify-it';
import topLevelDomains from 'tlds';

const linkify = new LinkifyIt().tlds([...topLevelDomains]);

/** An address of any kind, such as `intent://…`. */
const anyScheme = /[a-z][a-z0-9+.-]*:\/\/\S*/gi;

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : undefined;

/** Phones also recognize domains with full-width and ideographic dots. */
const withPlainDots = (text: string) => text.normalize('NFKC').replaceAll('。', '.');

/**
 * The first link in a text whose host is neither one of `domains` nor below one of them. Finds what phones show as a link, also without
 * `https://`. Undefined if there is none. Mail addresses are not links.
 */
export function findForeignLink(text: string, domains: readonly string[]): string | undefined {
  const plainText = withPlainDots(text);
  const links = [
    ...(linkify.match(plainText) ?? [])
      .filter(({ schema }) => schema !== 'mailto:')
      .map(({ raw, url }) => ({ raw, url })),
    ...(plainText.match(anyScheme) ?? []).map((raw) => ({ raw, url: raw })),
  ];
  return links.find(({ url }) => {
    const host = /^(?:https?:)?\/\//i.test(url) ? hostOf(url.replace(/^\/\//, 'https://')) : undefined;
    return host === undefined || !domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  })?.raw;
}
