import type { Browser } from 'playwright-core';
import { smsToken } from '../../../flows/confirmations';
import { hostedPagePath } from '../../../messages/links';
import { ApiWorld, person } from '../../api/api-world';
import { openBrowser } from '../../support/browser';
import { codeOf } from '../../support/build';
import { captureImage, giveConsent } from '../biometrics/page-world';
import { FakeLink } from '../biometrics/fake-link';
import { type FramedPage, ParentSite } from './parent-site';

let browser: Browser;
let world: ApiWorld;
let shop: ParentSite;
let stranger: ParentSite;
let shown: FramedPage | undefined;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
  world = await ApiWorld.open();
  [shop, stranger] = [await ParentSite.open(), await ParentSite.open()];
});
beforeEach(() => {
  allow(shop.origin);
});
afterEach(async () => {
  await shown?.close();
  shown = undefined;
});
afterAll(async () => {
  await browser.close();
  await world.close();
  await Promise.all([shop.close(), stranger.close()]);
});

/** Only sites with these origins may show the pages of the client in a frame. */
const allow = (...origins: string[]) => world.addressesByClient.set('client-of-local', { returnUrls: [], origins });

/** The API of this test does not listen at the public host of a link. */
const onTestHost = (url: string) => `${world.address}${new URL(url).pathname}`;

async function createCodePage() {
  const { id, path } = await world.createTransaction({ ...person, genericFields: { locale: 'en' } });
  await world.post(`${path}/sms/tokens`);
  const { url } = (await world.post(`${path}/sms/tokens/link`)).body as { url: string };
  const code = codeOf(smsToken, id, world.transactions.confirmationIds.at(-1) ?? '');
  return { id, url: onTestHost(url), code, wrong: code === '111111' ? '222222' : '111111' };
}

async function createBiometricsPage() {
  const { id, path } = await world.createTransaction({ ...person, genericFields: { locale: 'en' } });
  const { url } = (await world.post(`${path}/biometrics`)).body as { url: string };
  return { id, url: onTestHost(url) };
}

/** If the browser blocks the page, the frame shows an error page of the browser. */
const isShown = async ({ frame }: FramedPage) => (await frame.locator('main').count()) > 0;

const pages = { code: createCodePage, biometrics: createBiometricsPage } as const;

describe.each(Object.entries(pages))('the page for %s', (_, create) => {
  test('an allowed site can show the page in a frame, and gets the events of the page', async () => {
    const { id, url } = await create();
    shown = await shop.show(browser, url);
    const { origin, data } = await shown.waitForEvent('ready');
    expect(await isShown(shown)).toBe(true);
    expect({ origin, data }).toEqual({
      origin: world.address,
      data: { source: 'countersign', transactionId: id, type: 'ready' },
    });
    const { data: resize } = await shown.waitForEvent('resize');
    expect(resize['height']).toBeGreaterThan(100);
  });

  test('a site that is not allowed cannot show the page in a frame, and if no site is allowed, no site can show it', async () => {
    const { url } = await create();
    shown = await stranger.show(browser, url);
    expect(await isShown(shown)).toBe(false);
    await shown.close();
    world.addressesByClient.clear();
    shown = await shop.show(browser, url);
    expect(await isShown(shown)).toBe(false);
    expect(await shown.events()).toEqual([]);
  });

  test('a site that is not allowed gets no events, even if a browser shows the page in a frame of this site', async () => {
    const { url } = await create();
    shown = await stranger.show(browser, 'about:blank');
    // As in a browser that does not know content security policies.
    await shown.page.route(url, async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': _policy, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await shown.frame.goto(url);
    await shown.frame.locator('h1').waitFor();
    await shown.frame.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
    expect(await isShown(shown)).toBe(true);
    expect(await shown.events()).toEqual([]);
  });

  test('the content security policy of the page names only the origins of allowed sites', async () => {
    allow(shop.origin, 'https://shop.example');
    const { url } = await create();
    const { headers } = await fetch(url);
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${shop.origin} https://shop.example`);
    expect(headers.get('x-frame-options')).toBeNull();
    world.addressesByClient.clear();
    const closed = await fetch(url);
    expect(closed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(closed.headers.get('x-frame-options')).toBe('DENY');
  });
});

test('a person confirms with a code in a frame, with the keyboard only, and no event has the code', async () => {
  const { id, url, code, wrong } = await createCodePage();
  shown = await shop.show(browser, url);
  await shown.waitForEvent('ready');
  // The event has the height of the content, although the frame is 700 pixels high.
  expect((await shown.waitForEvent('resize')).data['height']).toBeLessThan(600);
  const { keyboard } = shown.page;
  const codeField = shown.frame.getByLabel('Code');
  // A key goes to the frame only after the browser has moved the focus there, which is another process.
  await keyboard.press('Tab');
  await codeField.and(shown.frame.locator(':focus')).waitFor();
  await keyboard.type(wrong);
  await keyboard.press('Enter');
  await shown.frame.getByRole('alert').getByText('This code is wrong.').waitFor();
  expect((await shown.events()).map(({ data }) => data['type'])).not.toContain('succeeded');
  await codeField.focus();
  await keyboard.type(code);
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  const { data } = await shown.waitForEvent('succeeded');
  expect(data).toEqual({ source: 'countersign', transactionId: id, type: 'succeeded', status: 'Valid' });
  await shown.frame.getByRole('heading', { name: 'Confirmed' }).waitFor();
  const everything = JSON.stringify(await shown.events());
  for (const secret of [code, wrong, person.document, person.email]) expect(everything).not.toContain(secret);
});

test('the site of the caller gets an event when all attempts are used up, and when a link has closed', async () => {
  const { id, url, wrong } = await createCodePage();
  for (const at of [0, 1, 2, 3]) {
    const body = new URLSearchParams({ code: String(Number(wrong) + at) });
    await fetch(url, { method: 'POST', body });
  }
  shown = await shop.show(browser, url);
  await shown.frame.getByLabel('Code').fill(String(Number(wrong) + 4));
  await shown.frame.getByRole('button', { name: 'Confirm' }).click();
  expect((await shown.waitForEvent('failed')).data).toMatchObject({ transactionId: id, status: 'Blocked' });
  await shown.close();
  const biometrics = await createBiometricsPage();
  await world.post(`/v1/transaction/${biometrics.id}/biometrics`);
  shown = await shop.show(browser, biometrics.url);
  const { data } = await shown.waitForEvent('closed');
  expect(data).toMatchObject({ transactionId: biometrics.id, status: 'Canceled' });
});

test('a biometrics link that was opened in a frame cannot be used in a tab of the same browser', async () => {
  const { url } = await createBiometricsPage();
  const [cookie = ''] = (await fetch(url)).headers.getSetCookie();
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned']) expect(cookie).toContain(attribute);
  shown = await shop.show(browser, url);
  const { frame } = shown;
  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: 'Agree and continue' }).click();
  await frame.getByRole('heading', { name: 'Front of your document' }).waitFor();
  // A tab does not get the cookie of the frame, because the cookie is partitioned.
  const tab = await shown.page.context().newPage();
  await tab.goto(url);
  await tab.getByRole('heading', { name: 'The link is open on another device' }).waitFor();
});

test('if no site is allowed, the cookie of the page does not work in frames of other sites', async () => {
  world.addressesByClient.clear();
  const { url } = await createBiometricsPage();
  const [cookie = ''] = (await fetch(url)).headers.getSetCookie();
  expect(cookie).toContain('SameSite=Lax');
  expect(cookie).not.toContain('Partitioned');
});

test('a person takes all images in a frame, and the site of the caller gets an event when the images are submitted', async () => {
  const link = await FakeLink.open();
  link.settings = { frame: { origins: [shop.origin], transactionId: 't-1' } };
  shown = await shop.show(browser, link.url);
  await giveConsent(shown.frame);
  for (const heading of ['Front of your document', 'Back of your document', 'A picture of your face'])
    await captureImage(shown.frame, heading);
  const { data } = await shown.waitForEvent('succeeded');
  expect(data).toEqual({ source: 'countersign', transactionId: 't-1', type: 'succeeded', status: 'Processing' });
  expect(link.captures.size).toBe(3);
  await link.close();
});

test('if the browser blocks cookies in the frame, the page offers a new tab, and the site of the caller gets an event', async () => {
  const link = await FakeLink.open();
  link.settings = { frame: { origins: [shop.origin], transactionId: 't-1' } };
  shown = await shop.show(browser, 'about:blank');
  await shown.page.route('**/open', (route) =>
    route.fulfill({ status: 403, contentType: 'application/json', body: '{"code":"cookie_missing"}' }),
  );
  await shown.frame.goto(link.url);
  const outside = shown.frame.getByRole('link', { name: 'Open the page in a new tab' });
  await outside.waitFor();
  expect(await outside.getAttribute('target')).toBe('_blank');
  expect((await shown.waitForEvent('failed')).data).toMatchObject({ status: 'cookies' });
  await link.close();
});

test('the page behind a link in an e-mail is never shown in a frame', async () => {
  const { id, path } = await world.createTransaction(person);
  await world.post(`${path}/emails/tokens`);
  const confirmationId = world.transactions.confirmationIds.at(-1) ?? '';
  const target = { tenant: 'local', transactionId: id, confirmationId, purpose: 'answer' } as const;
  const page = hostedPagePath(world.dependencies.keys, target);
  shown = await shop.show(browser, `${world.address}${page}`);
  expect(await isShown(shown)).toBe(false);
});

test('outside of a frame, the page loads without errors', async () => {
  const { url } = await createCodePage();
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())));
  await page.goto(url);
  await page.getByLabel('Code').waitFor();
  expect(errors).toEqual([]);
  await page.close();
});
