import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { ApiWorld } from '../api/api-world';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'));

/** axe is a library that finds accessibility errors. */
const axePath = '/assets/axe.js';

/** The limit for a page with all its files, compressed. */
export const pageBytesMax = 150 * 1024;

/** The longest time from the request of a page to its first text or image, also on a busy machine. An idle one needs 100 to 400 ms. */
export const firstPaintMaxMs = 5_000;

/** An element that breaks a rule of axe. */
export interface Violation {
  /** The id of the rule, such as `color-contrast`. */
  id: string;
  html: string;
}

export const loadAxe = (page: Page): Promise<unknown> => page.evaluate(String(axe));

/**
 * Serves axe as a file of the service, and returns a function that loads the file. For many pages, this is faster than `loadAxe`: a browser
 * compiles the file once for all pages of a tab, and sending axe to each page takes longer than checking the page.
 */
export function serveAxe({ dependencies }: ApiWorld): typeof loadAxe {
  const bytesByEncoding = new Map([['identity', axe]] as const);
  const { builtPages } = dependencies;
  const files = new Map([
    ...builtPages.files,
    [axePath, { type: 'text/javascript', hash: 'axe', isHashed: true, bytesByEncoding }],
  ]);
  dependencies.builtPages = { ...builtPages, files };
  return (page) => page.addScriptTag({ url: axePath });
}

const runAxe = (page: Page, context: string, options: string) =>
  page.evaluate<Violation[]>(
    `axe.run(${context}, { resultTypes: ['violations'], ${options} })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html }))))`,
  );

/** The page must have loaded axe: see `loadAxe`. */
export const findViolations = (page: Page): Promise<Violation[]> => runAxe(page, 'document', '');

/**
 * What axe finds in a mail. The rules about landmarks and headings of a page do not apply: a mail program shows the mail as a part of its own page.
 */
export const findInMail = (page: Page): Promise<Violation[]> =>
  runAxe(page, 'document', "runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']");

/** The colors and the font of each element, and whether the element is hidden. */
export const rememberLooks = (page: Page): Promise<void> =>
  page.evaluate(`{
    globalThis.lookOf = (element) => {
      if (element.getClientRects().length === 0) return 'hidden';
      const { color, backgroundColor, fontSize, fontWeight } = getComputedStyle(element);
      return [color, backgroundColor, fontSize, fontWeight].join();
    };
    globalThis.looks = new Map([...document.body.querySelectorAll('*')].map((element) => [element, lookOf(element)]));
  }`);

/** The rules that depend on colors, which differ in light and dark mode. No other rule depends on them. */
const colorRules = "runOnly: ['color-contrast', 'link-in-text-block']";

const findColors = (page: Page): Promise<Violation[]> => runAxe(page, 'document', colorRules);

/** Checks only those elements that look different since `rememberLooks`. */
async function findInChanged(page: Page, options: string): Promise<Violation[]> {
  const count = await page.evaluate<number>(
    `(globalThis.changed = [...document.body.querySelectorAll('*')].filter((element) =>
      lookOf(element) !== 'hidden' && lookOf(element) !== looks.get(element))).length`,
  );
  return count === 0 ? [] : runAxe(page, '{ include: changed }', options);
}

/** Checks the colors of only those elements that look different since `rememberLooks`. */
export const findChangedColors = (page: Page): Promise<Violation[]> => findInChanged(page, colorRules);

/**
 * Checks a page in light and dark mode, each on two widths: all rules of axe in light mode, and the rules about colors in dark mode. On the
 * second width, checks only the elements that look different than on the first. Also finds a page that is wider than its window.
 */
export async function findInViews(page: Page, where: string, load = loadAxe): Promise<string[]> {
  const found: string[] = [];
  await load(page);
  const check = async (colorScheme: 'light' | 'dark', width: number, find: typeof findViolations) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const place = `${where} (${colorScheme}, ${width})`;
    const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (scrollWidth > width) found.push(`${place} is ${scrollWidth} pixels wide`);
    for (const { id, html } of await find(page)) found.push(`${place}: ${id} ${html}`);
  };
  await check('light', 1_280, findViolations);
  await rememberLooks(page);
  await check('light', 390, (narrow) => findInChanged(narrow, ''));
  await check('dark', 390, findColors);
  await rememberLooks(page);
  await check('dark', 1_280, findChangedColors);
  return found;
}

/** The compressed bytes of a page and of all files that it has loaded, also from the cache. axe is left out. */
export const readBytes = (page: Page) =>
  page.evaluate<number>(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ name }) => !name.endsWith('${axePath}'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

/** The time from the request of the page to its first text or image, in milliseconds. */
export const readFirstPaint = (page: Page) =>
  page.evaluate<number>(`new Promise((done) => {
  const report = (list) => list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => done(startTime));
  new PerformanceObserver(report).observe({ type: 'paint', buffered: true });
})`);

/** The fastest of up to five loads of the page that is open. A busy machine delays single loads, but not all of them. */
export async function readFastestPaint(page: Page): Promise<number> {
  let fastest = await readFirstPaint(page);
  for (let loads = 1; loads < 5 && fastest >= firstPaintMaxMs; loads += 1) {
    await page.reload();
    fastest = Math.min(fastest, await readFirstPaint(page));
  }
  return fastest;
}

/**
 * `errors`: the errors in the console, and the addresses of requests to other hosts. `countBytes`: all responses so far, without images of
 * persons, because the page does not decide their size.
 */
export function watchPage(page: Page, host: string) {
  const errors: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())));
  page.on('requestfinished', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'blob:') return;
    if (url.host !== host) errors.push(request.url());
    if (url.pathname.startsWith('/images/')) return;
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  const countBytes = async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return { errors, countBytes };
}
