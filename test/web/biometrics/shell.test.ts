import type { Browser } from 'playwright-core';
import type { ClosedReason } from '../../../api/pages/rendered-pages';
import { languages } from '../../../domain/transactions/input';
import { openBrowser } from '../../support/browser';
import { biometricsTexts as texts } from './biometrics-texts';
import { FakeLink } from './fake-link';
import { waitForHeading, openPage, type TestPage } from './page-world';

let browser: Browser;
let link: FakeLink;
let testPage: TestPage | undefined;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
});
afterAll(() => browser.close());
beforeEach(async () => {
  link = await FakeLink.open();
});
afterEach(async () => {
  expect(testPage?.consoleErrors ?? []).toEqual([]);
  await testPage?.close();
  testPage = undefined;
  await link.close();
});

it.each(languages)('the page has all texts in %s, and no placeholder remains', async (language) => {
  link.language = language;
  testPage = await openPage(browser, link);
  await waitForHeading(testPage.page, texts[language].consent.heading);
  expect(await testPage.page.evaluate('document.documentElement.lang')).toBe(language);
  expect(await testPage.page.innerText('body')).toMatch(/Loja <b>&[\s\S]* 90 /);
  expect(await testPage.page.innerText('body')).not.toContain('{{');
});

it.each(languages)('in %s, the page promises a message only if the service sends one', async (language) => {
  link.language = language;
  link.status = 'Processing';
  link.owner = 'a browser';
  const lastText = async () => {
    testPage = await openPage(browser, link, { extraHTTPHeaders: { cookie: 'owner=a browser' } });
    await waitForHeading(testPage.page, texts[language].done.heading);
    return testPage.page.innerText('main');
  };
  const promise = texts[language].doneWithMessage.text.replaceAll('{{brand}}', 'Loja <b>&');
  expect(await lastText()).not.toContain(promise);
  await testPage?.close();
  link.announcesMessage = true;
  expect(await lastText()).toContain(promise);
});

it('the texts have the same placeholders in every language', () => {
  const placeholdersIn = (value: unknown): unknown =>
    typeof value === 'string'
      ? (value.match(/\{\{\w+\}\}/g) ?? []).toSorted()
      : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, placeholdersIn(inner)]));
  expect(placeholdersIn(texts.es)).toEqual(placeholdersIn(texts.en));
  expect(placeholdersIn(texts['pt-BR'])).toEqual(placeholdersIn(texts.en));
});

it('the page loads nothing from other hosts and is not cached', async () => {
  const { headers } = await fetch(link.url);
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"])
    expect(policy).toContain(part);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get('permissions-policy')).toContain('camera=(self)');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('a request for the page does not open the link', async () => {
  await fetch(link.url);
  expect(link.owner).toBeUndefined();
});

it.each<[ClosedReason, number]>([
  ['expired', 410],
  ['canceled', 410],
  ['ended', 410],
  ['erased', 410],
  ['used', 410],
  ['unknown', 404],
  ['taken', 403],
  ['unavailable', 503],
])('the page of a link that is closed or not available has no scripts: %s', async (reason, status) => {
  link.pageClosedReason = reason;
  const response = await fetch(link.url);
  const html = await response.text();
  expect(response.status).toBe(status);
  expect(html).not.toContain('<script');
  expect(html).not.toContain('{{');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'none'");
  testPage = await openPage(browser, link);
  await waitForHeading(testPage.page, texts.en.closed[reason].heading);
});

it('the page says in every language that it needs scripts', async () => {
  for (const language of languages) {
    link.language = language;
    expect(await (await fetch(link.url)).text()).toContain(texts[language].noScript);
  }
});
