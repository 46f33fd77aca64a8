/** Hosts of this machine, for development. */
const localHosts: readonly string[] = ['localhost', '127.0.0.1'];

/** The maximum length of a URL. Every browser accepts a URL of this length. */
export const urlLengthMax = 2_000;

/** What can be wrong with an address. */
const issues = {
  shape: 'must be a URL such as https://shop.example/checkout, with at most 2000 characters',
  userinfo: 'must have no user and password',
  protocol: 'must be https. http is possible only for localhost and 127.0.0.1, outside of production',
  encoded: 'must have no encoded slash or backslash (%2F, %5C) in its path',
  extra: 'must have no query and no fragment',
  path: 'must be an origin such as https://shop.example, without a path',
} as const;

/** The URL that was read, or what is wrong with the text. */
type Parsed = { url: URL } | { issue: string };

/**
 * Reads an address of a caller's site. Compare, store and send only the URL in the result: a browser could understand the original text in
 * another way. The host of the URL is in ASCII (punycode).
 */
export function parseReturnUrl(text: string, isProduction: boolean): Parsed {
  // `URL` repairs some invalid texts: it removes white space and control characters, reads a backslash as a slash, and adds missing
  // slashes. Such texts are not accepted.
  const isPlain = /^https?:\/\/[^/?#]/i.test(text) && !/[\s\\\p{C}]/u.test(text);
  if (!isPlain || !URL.canParse(text)) return { issue: issues.shape };
  const url = new URL(text);
  // The limit is for the URL that the browser gets. This URL can be longer than the text, because each letter such as ç becomes six
  // characters.
  if (url.href.length > urlLengthMax) return { issue: issues.shape };
  // The host may have only these characters, because an origin becomes part of a Content-Security-Policy header. In this header, `*` stands
  // for all subdomains, and `;` ends a directive.
  if (!/^[a-z\d.-]+$/.test(url.hostname)) return { issue: issues.shape };
  if (url.username || url.password) return { issue: issues.userinfo };
  const isLocal = !isProduction && localHosts.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) return { issue: issues.protocol };
  // A server may decode these characters after this check, and then use another path.
  if (/%2f|%5c/i.test(url.pathname)) return { issue: issues.encoded };
  return { url };
}

/** Reads a prefix of allowed return URLs: an origin, with a path or without. */
export function parseReturnUrlPrefix(text: string, isProduction: boolean): Parsed {
  const parsed = parseReturnUrl(text, isProduction);
  return 'url' in parsed && /[?#]/.test(text) ? { issue: issues.extra } : parsed;
}

/** Reads an origin, such as https://shop.example. */
export function parseOrigin(text: string, isProduction: boolean): Parsed {
  const parsed = parseReturnUrlPrefix(text, isProduction);
  return 'url' in parsed && parsed.url.pathname !== '/' ? { issue: issues.path } : parsed;
}

/**
 * Whether a return URL has the origin of `prefix`, and has the path of `prefix` or a path below it. The prefix `/pay` covers `/pay` and
 * `/pay/done`, but not `/payments`.
 */
export function isBelow({ origin, pathname }: URL, prefix: URL): boolean {
  const folder = prefix.pathname.replace(/\/?$/, '/');
  return origin === prefix.origin && (pathname === prefix.pathname || pathname.startsWith(folder));
}
