import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeLink } from './fake-link';
import { giveConsent, waitForHeading, openPage, pressButton, type TestPage } from './page-world';
import { chosenFiles } from '../../api/biometrics/page/chosen-files';

let link: FakeLink;
let testPage: TestPage;
let browser: Browser;
beforeEach(async () => {
  link = await FakeLink.open();
});
afterEach(async () => {
  expect(testPage.consoleErrors).toEqual([]);
  expect([...testPage.hosts]).toEqual([new URL(link.url).host]);
  await testPage.close();
  await link.close();
});

type ImageName = keyof typeof chosenFiles;
const chooseFile = (name: ImageName) => testPage.page.locator('#file').setInputFiles(chosenFiles[name]);

describe('the page without a camera', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  async function openLinkPage(): Promise<void> {
    testPage = await openPage(browser, link);
    await pressButton(testPage.page, 'Continue here with files');
    await giveConsent(testPage.page);
    await waitForHeading(testPage.page, 'Front of your document');
  }

  it('shows a QR code on a computer, notices when a phone opens the link, and does not open the link itself', async () => {
    testPage = await openPage(browser, link, { viewport: { width: 1_280, height: 800 }, hasTouch: false });
    await waitForHeading(testPage.page, 'Continue on your phone');
    await testPage.page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(link.requests).not.toContain('POST /open');
    link.owner = 'a phone';
    await waitForHeading(testPage.page, 'Continue on the other device');
    expect(link.requests).not.toContain('POST /open');
  });

  it('works to the end with PNG files, and sends them as JPEG', async () => {
    await openLinkPage();
    for (const name of ['Front of your document', 'Back of your document', 'A picture of your face']) {
      await waitForHeading(testPage.page, name);
      await chooseFile('good');
      await pressButton(testPage.page, 'Use it');
    }
    await waitForHeading(testPage.page, 'All done, thank you');
    for (const bytes of link.captures.values()) expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it.each<[ImageName, RegExp]>([
    ['dark', /too dark/],
    ['bright', /too bright/],
    ['small', /too small/],
    ['blurred', /blurred/],
  ])('shows a tip for an image that is %s, and accepts the image in the second attempt', async (name, hint) => {
    await openLinkPage();
    await chooseFile(name);
    await testPage.page.getByRole('alert').getByText(hint).waitFor();
    expect(await testPage.page.getByRole('button').allInnerTexts()).toEqual(['Take it again']);
    await pressButton(testPage.page, 'Take it again');
    await chooseFile(name);
    await pressButton(testPage.page, 'Send it anyway');
    await waitForHeading(testPage.page, 'Back of your document');
  });

  it.each<[ImageName, RegExp]>([
    ['text', /We cannot read this file/],
    ['broken', /cannot be read/],
  ])('shows what to do about a file that is %s', async (name, hint) => {
    await openLinkPage();
    await chooseFile(name);
    await testPage.page.getByRole('alert').getByText(hint).waitFor();
    await chooseFile('good');
    await pressButton(testPage.page, 'Use it');
    await waitForHeading(testPage.page, 'Back of your document');
  });
});

describe('the page with a camera', () => {
  beforeAll(async () => {
    browser = await openBrowser({ camera: 'refused' });
  });
  afterAll(() => browser.close());

  it('offers files, and the camera again, if the person denies access to the camera', async () => {
    testPage = await openPage(browser, link);
    await giveConsent(testPage.page);
    await pressButton(testPage.page, 'Open the camera');
    await testPage.page.getByText('The browser does not allow the camera').waitFor();
    await testPage.page.getByRole('button', { name: 'Try the camera again' }).waitFor();
    await chooseFile('good');
    await pressButton(testPage.page, 'Use it');
    await waitForHeading(testPage.page, 'Back of your document');
  });

  it('asks the person to use a browser, if another app shows the page, and does not open the link yet', async () => {
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0.0';
    testPage = await openPage(browser, link, { userAgent });
    await waitForHeading(testPage.page, 'Open this page in your browser');
    expect(await testPage.page.getByRole('textbox', { name: 'Copy the link' }).inputValue()).toBe(link.url);
    expect(link.requests).not.toContain('POST /open');
    await pressButton(testPage.page, 'Continue here anyway');
    await waitForHeading(testPage.page, 'Confirm that it is you');
  });
});
