import type { Browser } from 'playwright-core';
import { BiometricsWorld } from '../../api/biometrics/biometrics-world';
import { openBrowser } from '../../support/browser';
import { watchPage } from '../page-checks';

let browser: Browser;
let world: BiometricsWorld;
beforeAll(async () => {
  browser = await openBrowser();
  world = await BiometricsWorld.open();
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

it('a reviewer signs in, enlarges an image, chooses a language and decides with the keyboard only', async () => {
  const { linkId } = await world.submitAll();
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  const { errors } = watchPage(page, new URL(world.api.address).host);
  await page.goto(`${world.api.address}/reviews`);
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()",
    );
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** The element must then have a visible outline. */
  const tabTo = async (name: string | RegExp) => {
    for (let step = 0; step < 30; step += 1) {
      await press('Tab');
      const text = await focused();
      if (typeof name === 'string' ? text !== name : !name.test(text)) continue;
      const style =
        'getComputedStyle(document.activeElement.closest(".choice") ?? document.activeElement).outlineStyle';
      expect([text, await page.evaluate(style)]).toEqual([text, 'solid']);
      return;
    }
    throw new Error(`${String(name)} cannot be reached. The focus is on: ${await focused()}`);
  };
  await page.getByRole('heading', { level: 1, name: 'Sign in to review' }).waitFor();
  await tabTo('Use an access token instead');
  await press('Enter');
  await tabTo('Access token');
  await page.keyboard.type(await world.api.issueToken('local'));
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor();
  await tabTo(/^Waiting for/);
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Review of/ }).waitFor();
  await page.locator('.stage img').nth(2).waitFor();
  await tabTo('Turn Front of the document');
  await press('Enter');
  await tabTo('Enlarge Front of the document');
  await press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await press('+');
  await dialog.getByText('150 %').first().waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused()).toBe('Enlarge Front of the document');
  await tabTo('Approve');
  await press('Space');
  await tabTo('Reason');
  await page.keyboard.type('x');
  await tabTo('Same person on selfie and document.');
  await press('Enter');
  expect(await focused()).toBe('Reason');
  await tabTo('Approve');
  await press('Enter');
  await page.getByRole('heading', { level: 1, name: 'No open reviews' }).waitFor();
  expect((await world.api.request(`/v1/reviews/${linkId}`)).body).toMatchObject({
    status: 'Approved',
    decision: { reason: 'x Same person on selfie and document.' },
  });
  await press('Tab');
  expect(await focused()).toBe('Refresh');
  for (let step = 0; step < 5 && (await focused()) !== 'Language'; step += 1) await press('Shift+Tab');
  expect(await focused()).toBe('Language');
  await press('ArrowDown');
  await page.getByRole('heading', { level: 1, name: 'No hay revisiones abiertas' }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
