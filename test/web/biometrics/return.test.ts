import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeLink } from './fake-link';
import { openPage, type TestPage, waitForHeading } from './page-world';

let browser: Browser;
let link: FakeLink;
let testPage: TestPage | undefined;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
});
afterAll(() => browser.close());
beforeEach(async () => {
  link = await FakeLink.open();
  link.settings = { returnUrl: 'https://shop.example/checkout?cart=7', transactionId: 't-1' };
  link.status = 'Processing';
  link.owner = 'me';
});
afterEach(async () => {
  expect(testPage?.consoleErrors ?? []).toEqual([]);
  await testPage?.close();
  testPage = undefined;
  await link.close();
});

/** The target of the button "Back to shop.example". */
const expected = 'https://shop.example/checkout?cart=7&transactionId=t-1&status=Processing';

/**
 * Opens the last screen with a clock that the test moves, and with a simulated site of the caller. `visits`: the URLs of this site that the
 * browser has opened.
 */
async function openLastScreen(): Promise<{ page: Page; visits: string[] }> {
  testPage = await openPage(browser, link, { extraHTTPHeaders: { cookie: 'owner=me' } });
  const { page } = testPage;
  const visits: string[] = [];
  await page.route('https://shop.example/**', (route) => {
    visits.push(route.request().url());
    return route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Shop</h1>' });
  });
  await page.clock.install();
  await page.reload();
  await waitForHeading(page, 'All done, thank you');
  return { page, visits };
}

it('the last screen has a button back to the return URL, and adds the id of the transaction and the status to this URL', async () => {
  const { page, visits } = await openLastScreen();
  const button = page.getByRole('link', { name: 'Back to shop.example' });
  expect(await button.getAttribute('href')).toBe(expected);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Shop');
  expect(visits).toEqual([expected]);
});

it('the page says that the person goes back in 20 seconds, and then sends the person back', async () => {
  const { page, visits } = await openLastScreen();
  await page.getByRole('status').getByText('You will return to shop.example in 20 seconds.').waitFor();
  await page.clock.runFor(19_000);
  expect(visits).toEqual([]);
  await page.clock.runFor(1_500);
  await waitForHeading(page, 'Shop');
  expect(visits).toEqual([expected]);
});

it('a person who presses the button to stay is not sent back', async () => {
  const { page, visits } = await openLastScreen();
  await page.clock.runFor(5_000);
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await page.clock.runFor(60_000);
  expect(visits).toEqual([]);
  await page.getByRole('link', { name: 'Back to shop.example' }).waitFor();
  expect(await page.getByText('You go back').count()).toBe(0);
});

it('without a return URL, the last screen has no button back', async () => {
  link.settings = {};
  const { page } = await openLastScreen();
  expect(await page.getByRole('link').count()).toBe(0);
  expect(await page.getByRole('button').count()).toBe(0);
});

it('if a link closes during a step, the page has a button back, which leads to a URL with the status', async () => {
  link.owner = undefined;
  link.status = 'Waiting';
  testPage = await openPage(browser, link);
  await waitForHeading(testPage.page, 'Confirm that it is you');
  link.apiClosedStatus = 'Expired';
  await testPage.page.getByRole('checkbox').check();
  await testPage.page.getByRole('button', { name: 'Agree and continue' }).click();
  await waitForHeading(testPage.page, 'This link has expired');
  const href = await testPage.page.getByRole('link', { name: 'Back to shop.example' }).getAttribute('href');
  expect(href).toContain('&status=Expired');
});
