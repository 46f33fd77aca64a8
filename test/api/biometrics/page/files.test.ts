import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../support/browser';
import { FakeLink } from './fake-link';
import { consent, heading, openPage, press, type Watched } from './page-world';
import { pictures } from './pictures';

let link: FakeLink;
let watched: Watched;
let browser: Browser;
beforeEach(async () => {
  link = await FakeLink.open();
});
afterEach(async () => {
  expect(watched.complaints).toEqual([]);
  expect([...watched.hosts]).toEqual([new URL(link.url).host]);
  await watched.close();
  await link.close();
});

type Picture = keyof typeof pictures;
const choose = (name: Picture) => watched.page.locator('#file').setInputFiles(pictures[name]);

describe('without a camera', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  }, 30_000);
  afterAll(() => browser.close());

  async function begin(): Promise<void> {
    watched = await openPage(browser, link);
    await press(watched.page, 'Continue here with files');
    await consent(watched.page);
    await heading(watched.page, 'Front of your document');
  }

  it('asks before it opens the link, with a QR code on a computer', async () => {
    watched = await openPage(browser, link, { viewport: { width: 1_280, height: 800 }, hasTouch: false });
    await heading(watched.page, 'Continue on your phone');
    await watched.page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(link.asked).not.toContain('POST /open');
    link.owner = 'a phone';
    await heading(watched.page, 'Continue on the other device');
    expect(link.asked).not.toContain('POST /open');
  });

  it('works with files to the end, and always sends JPEG', async () => {
    await begin();
    for (const name of ['Front of your document', 'Back of your document', 'A picture of your face']) {
      await heading(watched.page, name);
      await choose('good');
      await press(watched.page, 'Use it');
    }
    await heading(watched.page, 'All done, thank you');
    for (const bytes of link.captures.values()) expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
  });

  it.each<[Picture, RegExp]>([
    ['dark', /too dark/],
    ['bright', /too bright/],
    ['small', /too small/],
    ['blurred', /blurred/],
  ])('gives a tip for a picture that is %s, and accepts it after two tries', async (name, hint) => {
    await begin();
    await choose(name);
    await watched.page.getByRole('alert').getByText(hint).waitFor();
    expect(await watched.page.getByRole('button').allInnerTexts()).toEqual(['Take it again']);
    await press(watched.page, 'Take it again');
    await choose(name);
    await press(watched.page, 'Send it anyway');
    await heading(watched.page, 'Back of your document');
  });

  it.each<[Picture, RegExp]>([
    ['text', /We cannot read this file/],
    ['broken', /cannot be read/],
  ])('says what to do about a file that is %s', async (name, hint) => {
    await begin();
    await choose(name);
    await watched.page.getByRole('alert').getByText(hint).waitFor();
    await choose('good');
    await press(watched.page, 'Use it');
    await heading(watched.page, 'Back of your document');
  });
});

describe('with a camera', () => {
  beforeAll(async () => {
    browser = await openBrowser({ camera: 'refused' });
  }, 30_000);
  afterAll(() => browser.close());

  it('offers files, and the camera again, if the person denies it', async () => {
    watched = await openPage(browser, link);
    await consent(watched.page);
    await press(watched.page, 'Open the camera');
    await watched.page.getByText('The browser does not allow the camera').waitFor();
    await watched.page.getByRole('button', { name: 'Try the camera again' }).waitFor();
    await choose('good');
    await press(watched.page, 'Use it');
    await heading(watched.page, 'Back of your document');
  });

  it('inside another app, offers to open the browser before it opens the link', async () => {
    const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Instagram 350.0.0';
    watched = await openPage(browser, link, { userAgent });
    await heading(watched.page, 'Open this page in your browser');
    expect(await watched.page.getByRole('textbox', { name: 'Copy the link' }).inputValue()).toBe(link.url);
    expect(link.asked).not.toContain('POST /open');
    await press(watched.page, 'Continue here anyway');
    await heading(watched.page, 'Confirm that it is you');
  });
});
