import topLevelDomains from 'tlds';
import { domainToASCII } from 'node:url';

const knownTopLevelDomains = new Set<string>(topLevelDomains);
const isTopLevelDomain = (label: string) => knownTopLevelDomains.has(label) || label.startsWith('xn--');

/** Where a link ends, besides white space. Some phones end a link earlier, and then look for the next link. */
const pathCharacter = '[^\\s"\'`<>()[\\]{}|\\\\^,;«»“”‘’]';

/** An address with any scheme, such as `intent://…`, or with a host after `//`. The length of the scheme is limited, so that a search takes linear time. */
const addresses = new RegExp(
  `[a-z][a-z0-9+.-]{0,30}://${pathCharacter}*|//(?=[^\\s/?#]{1,253}\\.[^\\s.])${pathCharacter}+`,
  'giu',
);

/** Words that are joined by single dots. */
const dottedWords = /[\p{L}\p{N}\p{M}-]+(?:\.[\p{L}\p{N}\p{M}-]+)*/gu;

/** What can follow a domain in a link: a port, then a path, query or fragment. */
const tail = new RegExp(`(?::\\d+)?(?:[/?#]${pathCharacter}*)?`, 'uy');

/** The end of a text in front of the domain of a mail address. Its first part is not inside a URL, as in `https://a.com@b.com`. */
const mailPrefix = /[^/\\@\p{L}\p{N}\p{M}._%+-][\p{L}\p{N}\p{M}._%+-]{1,64}@$/u;

/**
 * A text as phones read it: without invisible characters, and with plain forms of letters, digits and dots (NFKC). Phones recognize
 * domains with full-width and ideographic dots.
 */
const toPlainText = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('。', '.');

const isIpAddress = (labels: readonly string[]) =>
  labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label) && Number(label) <= 255);

/**
 * The longest domain at the start of words that are joined by dots. Every word with a known top-level domain after it counts, also
 * if a hyphen follows, as in `evil.com-login`. Undefined if there is none.
 */
function domainIn(words: string): string | undefined {
  const labels = words.toLowerCase().split('.');
  if (isIpAddress(labels)) return words;
  for (let last = labels.length - 1; last > 0; last -= 1) {
    const label = labels[last] ?? '';
    const topLevel = [label, label.split('-', 1)[0] ?? ''].find(isTopLevelDomain);
    if (topLevel !== undefined) return [...labels.slice(0, last), topLevel].join('.');
  }
  return undefined;
}

/** The host of an http or https address. Undefined for every other address. */
function hostOfUrl(url: string): string | undefined {
  const fullUrl = url.replace(/^\/\//, 'https://');
  return /^https?:/i.test(fullUrl) && URL.canParse(fullUrl) ? new URL(fullUrl).hostname.replace(/\.$/, '') : undefined;
}

/**
 * Finds everything in a text that a phone could show as a link, even without `https://`: every domain with a known top-level domain,
 * whatever is in front of it. `raw`: the text of the link. `host`: the host of the link; undefined if its address is neither http nor
 * https. Mail addresses do not count as links.
 */
function findLinks(text: string): { raw: string; host: string | undefined }[] {
  const plainText = toPlainText(text);
  const links = (plainText.match(addresses) ?? []).map((raw) => ({ raw, host: hostOfUrl(raw) }));
  const otherText = plainText.replace(addresses, (found) => ' '.repeat(found.length));
  let end = 0;
  for (const { 0: words, index } of otherText.matchAll(dottedWords)) {
    const domain = index < end ? undefined : domainIn(words);
    if (domain === undefined) continue;
    tail.lastIndex = index + domain.length;
    const [rest = ''] = tail.exec(otherText) ?? [];
    if (rest === '' && mailPrefix.test(` ${otherText.slice(Math.max(0, index - 70), index)}`)) continue;
    end = index + domain.length + rest.length;
    links.push({ raw: otherText.slice(index, end), host: domainToASCII(domain) || domain });
  }
  return links;
}

/** The hosts of the links in a text. */
export const linkHosts = (text: string): string[] => findLinks(text).flatMap(({ host }) => host ?? []);

/** The first link in a text that does not lead to one of `domains` or to one of their subdomains. Undefined if there is none. */
export const findForeignLink = (text: string, domains: readonly string[]): string | undefined =>
  findLinks(text).find(
    ({ host }) => host === undefined || !domains.some((domain) => host === domain || host.endsWith(`.${domain}`)),
  )?.raw;
