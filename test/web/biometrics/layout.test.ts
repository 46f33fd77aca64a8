import type { Browser, Page } from 'playwright-core';
import { languages } from '../../../domain/transactions/input';
import { openBrowser } from '../../support/browser';
import { FakeLink } from './fake-link';
import { openPage } from './page-world';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
});
afterAll(() => browser.close());

const waitForScreen = (page: Page, name: string) => page.locator(`main[data-screen=${name}]`).waitFor();

/**
 * Finds the text with the lowest contrast to its background, by the formula of WCAG, a standard for accessibility. The level AA of WCAG
 * needs at least 4.5.
 */
const lowestContrast = `(() => {
  const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const rgb = (color, under) => {
    context.fillStyle = under; context.fillRect(0, 0, 1, 1);
    context.fillStyle = color; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const css = (parts) => 'rgb(' + parts.join(',') + ')';
  const backgroundOf = (element) => {
    const chain = [];
    for (let at = element; at; at = at.parentElement) chain.unshift(getComputedStyle(at).backgroundColor);
    return chain.reduce((under, color) => css(rgb(color, under)), 'rgb(255,255,255)');
  };
  const luminance = (parts) => parts.map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  let lowest = { ratio: 21 };
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!hasText || element.disabled || element.closest('noscript')) continue;
    const under = backgroundOf(element);
    const [a, b] = [luminance(rgb(getComputedStyle(element).color, under)), luminance(rgb(under, under))]
      .sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, text: element.textContent.slice(0, 40) };
  }
  return lowest;
})()`;

describe.each(['light', 'dark'] as const)('the page in %s mode', (colorScheme) => {
  it.each(languages)('fits a width of 320 pixels and is readable in every step, in %s', async (language) => {
    const link = await FakeLink.open();
    link.language = language;
    link.failUpload = () => 'drop';
    const testPage = await openPage(browser, link, { viewport: { width: 320, height: 568 }, colorScheme });
    const { page } = testPage;
    const expectToFit = async (name: string) => {
      await waitForScreen(page, name);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(lowestContrast);
      expect({ name, text, readable: ratio >= 4.5 }).toEqual({ name, text, readable: true });
    };
    await expectToFit('consent');
    await page.getByRole('checkbox').check();
    await page.locator('.button-main').click();
    await expectToFit('prepare');
    await page.locator('.button-main').click();
    await expectToFit('camera');
    await page.locator('.shutter:enabled').click();
    await expectToFit('review');
    await page.locator('.button-main').click();
    await expectToFit('sending');
    await page.locator('.notice:not(:empty)').waitFor();
    await expectToFit('sending');
    link.status = 'Processing';
    await page.reload();
    await expectToFit('done');
    await testPage.close();
    await link.close();
  });
});
