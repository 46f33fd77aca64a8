import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeLink } from './fake-link';
import { giveConsent, waitForHeading, openPage, pressButton, captureImage, type TestPage } from './page-world';

let browser: Browser;
let link: FakeLink;
let testPage: TestPage;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
});
afterAll(() => browser.close());
beforeEach(async () => {
  link = await FakeLink.open();
});
afterEach(async () => {
  expect(testPage.consoleErrors).toEqual([]);
  expect([...testPage.hosts]).toEqual([new URL(link.url).host]);
  await testPage.close();
  await link.close();
});

const isJpeg = (bytes: Buffer | undefined) => bytes?.subarray(0, 3).toString('hex') === 'ffd8ff';

it('the page works with the camera from consent to the end', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await waitForHeading(page, 'Confirm that it is you');
  await page.getByText('Step 1 of 4').waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
  await giveConsent(page);
  await captureImage(page, 'Front of your document');
  await page.getByText('Step 3 of 4').waitFor();
  await captureImage(page, 'Back of your document');
  await captureImage(page, 'A picture of your face');
  await waitForHeading(page, 'All done, thank you');
  await page.getByText('Loja <b>& will check them. You can close this page.').waitFor();
  expect(link.status).toBe('Processing');
  expect([...link.captures.values()].map(isJpeg)).toEqual([true, true, true]);
  expect(link.requests.filter((line) => line === 'POST /open')).toHaveLength(1);
});

it('the page opens the camera only after consent', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await waitForHeading(page, 'Confirm that it is you');
  await pressButton(page, 'Agree and continue');
  await page.getByText('Please tick the box first').first().waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('agree');
  expect(await page.locator('video').count()).toBe(0);
  expect(link.consented).toBe(false);
});

it('the page turns the camera off after the capture', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await page.evaluate(`{
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => (window.lastStream = await ask(wanted));
  }`);
  await giveConsent(page);
  await pressButton(page, 'Open the camera');
  await pressButton(page, 'Take the picture');
  await waitForHeading(page, 'Is the picture good?');
  expect(await page.evaluate('window.lastStream.getTracks().map(({ readyState }) => readyState)')).toEqual(['ended']);
});

it('after a reload, the page continues with the next image', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await giveConsent(page);
  await captureImage(page, 'Front of your document');
  await waitForHeading(page, 'Back of your document');
  await page.reload();
  await waitForHeading(page, 'Back of your document');
  await page.getByText('Step 3 of 4').waitFor();
});

it('if the service lists images as saved, but does not have them, the page asks for these images again', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await waitForHeading(page, 'Confirm that it is you');
  link.staleCaptures = ['documentFront', 'documentBack', 'selfie'];
  link.captures.set('selfie', Buffer.from('a'));
  await page.reload();
  await captureImage(page, 'Front of your document');
  await captureImage(page, 'Back of your document');
  await waitForHeading(page, 'All done, thank you');
  expect(link.consented).toBe(true);
});

it('the page works with the keyboard only', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  const { keyboard } = page;
  await waitForHeading(page, 'Confirm that it is you');
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  for (const name of ['Front of your document', 'Back of your document', 'A picture of your face']) {
    await waitForHeading(page, name);
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('.shutter:enabled').waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await waitForHeading(page, 'Is the picture good?');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
  }
  await waitForHeading(page, 'All done, thank you');
});

it('the page tells a second browser that the link is open on another device', async () => {
  const first = await openPage(browser, link);
  await waitForHeading(first.page, 'Confirm that it is you');
  testPage = await openPage(browser, link);
  await waitForHeading(testPage.page, 'The link is open on another device');
  await first.close();
});

it.each<[string, 'erased' | 'ended' | undefined, string]>([
  ['Expired', undefined, 'This link has expired'],
  ['Abandoned', undefined, 'This link has expired'],
  ['Canceled', undefined, 'There is a newer link'],
  ['Canceled', 'erased', 'This check was stopped'],
  ['Canceled', 'ended', 'This check has ended'],
  ['Approved', undefined, 'This link was already used'],
])(
  'the page shows that its link was closed during a step: status %s, reason %s',
  async (status, closedReason, text) => {
    testPage = await openPage(browser, link);
    await waitForHeading(testPage.page, 'Confirm that it is you');
    link.apiClosedStatus = status;
    link.apiClosedReason = closedReason;
    await giveConsent(testPage.page);
    await waitForHeading(testPage.page, text);
  },
);

it('the page shows the last screen again only to the owner of the link', async () => {
  testPage = await openPage(browser, link);
  await waitForHeading(testPage.page, 'Confirm that it is you');
  link.status = 'Processing';
  await testPage.page.reload();
  await waitForHeading(testPage.page, 'All done, thank you');
  expect(link.requests).toContain('POST /submit');
  const other = await openPage(browser, link);
  await waitForHeading(other.page, 'The link is open on another device');
  await other.close();
});

it('the page shows an unexpected error, and then continues where it stopped', async () => {
  testPage = await openPage(browser, link);
  const { page } = testPage;
  await page.route('**/consent', (route) => route.fulfill({ status: 400, body: '{"code":"strange"}' }), { times: 1 });
  await giveConsent(page);
  await waitForHeading(page, 'Something went wrong');
  await pressButton(page, 'Try again');
  await giveConsent(page);
  await waitForHeading(page, 'Front of your document');
});
