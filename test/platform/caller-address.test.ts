import { isBelow, parseOrigin, parseReturnUrl, parseReturnUrlPrefix } from '../../platform/ip-addresses';
import { hostileReturnUrls, returnUrlPrefixes } from '../api/hostile-return-urls';

/** Whether the URL is valid, and below a prefix in `returnUrlPrefixes`. */
const isAllowed = (text: string, isProduction = false) => {
  const parsed = parseReturnUrl(text, isProduction);
  return (
    'url' in parsed &&
    returnUrlPrefixes.some((entry) => {
      const prefix = parseReturnUrlPrefix(entry, isProduction);
      return 'url' in prefix && isBelow(parsed.url, prefix.url);
    })
  );
};

test('the table of hostile return URLs has at least 25 addresses, each once', () => {
  expect(new Set(hostileReturnUrls.map(([, address]) => address)).size).toBe(hostileReturnUrls.length);
  expect(hostileReturnUrls.length).toBeGreaterThanOrEqual(25);
});

test.each(hostileReturnUrls)('a return URL is not allowed: %s', (_, address) => {
  expect(isAllowed(address)).toBe(false);
});

test.each([
  'https://shop.example/checkout',
  'https://shop.example/checkout/',
  'https://shop.example/checkout/done?cart=7#top',
  'https://shop.example/checkout?back=https://evil.example',
  'HTTPS://SHOP.example:443/checkout',
  'https://shop.example/./checkout',
  'http://localhost:8080/anything',
  'https://bücher.example/kasse',
  'https://xn--bcher-kva.example/kasse',
])('a return URL is allowed: %s', (address) => {
  expect(isAllowed(address)).toBe(true);
});

test('a parsed return URL has its normal form: a host in lower-case ASCII, no default port, no dot segments', () => {
  const hrefOf = (text: string) => {
    const parsed = parseReturnUrl(text, false);
    return 'url' in parsed ? parsed.url.href : parsed.issue;
  };
  expect(hrefOf('https://BÜCHER.example/a b'.replace(' ', '%20'))).toBe('https://xn--bcher-kva.example/a%20b');
  expect(hrefOf('HTTPS://Shop.example:443/checkout/../checkout')).toBe('https://shop.example/checkout');
});

test.each(['http://localhost:8080/', 'http://127.0.0.1/'])('the return URL %s is rejected in production', (address) => {
  expect('url' in parseReturnUrl(address, false)).toBe(true);
  expect(parseReturnUrl(address, true)).toEqual({ issue: expect.stringContaining('https') });
});

test.each<[string, RegExp]>([
  ['https://shop.example/?a=b', /no query/],
  ['https://shop.example/#a', /no query/],
  ['https://shop.example/?', /no query/],
  ['https://shop.example/checkout', /without a path/],
  ['http://shop.example', /https/],
  ['https://*.shop.example', /URL/],
  ['https://a;b.example', /URL/],
  ['https://[::1]', /URL/],
  ['https://a@shop.example', /no user/],
  ["https://shop.example;script-src 'unsafe-inline'", /URL/],
  ['null', /URL/],
])('an origin cannot be %s', (text, issue) => {
  expect(parseOrigin(text, false)).toEqual({ issue: expect.stringMatching(issue) });
});
