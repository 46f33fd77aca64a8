import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeReviews } from './fake-reviews';

/** An open page, with the errors in its console and the hosts to which it sent requests. */
export interface TestPage {
  page: Page;
  consoleErrors: string[];
  hosts: Set<string>;
  close(): Promise<void>;
}

/** Opens the page with new cookies. Error responses of the API do not count as console errors. */
export async function openReviewsPage(
  browser: Browser,
  { url }: FakeReviews,
  { hash = '', ...options }: BrowserContextOptions & { hash?: string } = {},
): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) consoleErrors.push(line.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) hosts.add(new URL(request.url()).host);
  });
  await page.goto(`${url}${hash}`);
  return { page, consoleErrors, hosts, close: () => context.close() };
}

/**
 * One browser for the tests of a file, and a new fake API for each test. `onOpen` gets the fake API. Returns a function that opens the
 * page. After each test, the page must have no console errors, and must have loaded everything from the fake API.
 */
export function useReviews(
  onOpen: (fake: FakeReviews) => void,
): (options?: Parameters<typeof openReviewsPage>[2]) => Promise<TestPage> {
  let browser: Browser;
  let fake: FakeReviews;
  let testPage: TestPage;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    fake = await FakeReviews.open();
    onOpen(fake);
  });
  afterEach(async () => {
    await testPage.close();
    await fake.close();
    expect(testPage.consoleErrors).toEqual([]);
    expect([...testPage.hosts]).toEqual([new URL(fake.url).host]);
  });
  return async (options) => (testPage = await openReviewsPage(browser, fake, options));
}

export const waitForHeading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Waits until a new view has given the focus to its heading. After that, the page does not move the focus by itself. */
export const waitForView = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor();

export const pressButton = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).click();

export async function signIn(page: Page, id = 'reviewer-1', secret = 'right'): Promise<void> {
  await page.getByLabel('Client id').fill(id);
  await page.getByLabel('Client secret').fill(secret);
  await pressButton(page, 'Sign in');
}

/** `index`: the position in the list. 0 is the oldest review. */
export async function openReview(page: Page, index = 0): Promise<void> {
  await page
    .getByRole('link', { name: /Waiting for/ })
    .nth(index)
    .click();
  await waitForHeading(page, /^Review of/);
}

export async function decide(page: Page, choice: string, reason: string, button = choice): Promise<void> {
  await page.getByRole('radio', { name: choice }).check();
  await page.getByLabel('Reason', { exact: true }).fill(reason);
  await pressButton(page, button);
}
