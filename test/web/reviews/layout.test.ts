import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeReviews } from './fake-reviews';
import { waitForHeading, openReview, openReviewsPage, pressButton, signIn } from './review-world';

let browser: Browser;
let fake: FakeReviews;
beforeAll(async () => {
  browser = await openBrowser();
  fake = await FakeReviews.open();
});
afterAll(async () => {
  await browser.close();
  await fake.close();
});

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box of each image, and whether the image fits into its box. */
const measureImages = `[...document.querySelectorAll('.stage img')].map((image) => {
  const { x, y, width, height } = image.closest('figure').getBoundingClientRect();
  const inner = image.getBoundingClientRect();
  const stage = image.closest('.stage').getBoundingClientRect();
  const fits = inner.width <= stage.width + 0.5 && inner.height <= stage.height + 0.5 && inner.width > 99;
  return { x, y, width, height, fits };
})`;

describe.each(['light', 'dark'] as const)('the page in %s mode', (colorScheme) => {
  it.each([
    [1_280, 800, 'side by side'],
    [320, 568, 'stacked'],
  ] as const)('fits %i by %i pixels, and the images are %s', async (width, height, _arrangement) => {
    const testPage = await openReviewsPage(browser, fake, { viewport: { width, height }, colorScheme });
    const { page } = testPage;
    const expectToFit = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await waitForHeading(page, 'Sign in to review');
    await page.getByText('Use an access token instead').click();
    await expectToFit();
    await signIn(page);
    await waitForHeading(page, 'Reviews');
    await expectToFit();
    await openReview(page);
    await page.locator('.stage img').nth(2).waitFor();
    await expectToFit();
    const checkImages = async () => {
      const [front, back, selfie] = await page.evaluate<(Box & { fits: boolean })[]>(measureImages);
      if (!front || !back || !selfie) throw new Error('An image is missing.');
      expect([front.fits, back.fits, selfie.fits]).toEqual([true, true, true]);
      if (width === 320) {
        expect(back.y).toBeGreaterThanOrEqual(front.y + front.height);
        expect(selfie.y).toBeGreaterThanOrEqual(back.y + back.height);
        return;
      }
      expect([back.y, selfie.y]).toEqual([front.y, front.y]);
      expect(back.x).toBeGreaterThanOrEqual(front.x + front.width);
      expect(selfie.x).toBeGreaterThanOrEqual(back.x + back.width);
      expect(Math.round(selfie.width)).toBe(Math.round(front.width));
      // The images and the start of the decision need no scrolling.
      expect(front.y + front.height).toBeLessThan(height);
      expect((await page.getByRole('radio').first().boundingBox())?.y).toBeLessThan(height);
    };
    await checkImages();
    for (const name of ['Turn Front of the document', 'Turn Back of the document', 'Turn Selfie'])
      await pressButton(page, name);
    await checkImages();
    await page.getByRole('radio', { name: 'Reject' }).check();
    await pressButton(page, 'Reject');
    await expectToFit();
    await pressButton(page, 'Enlarge Selfie');
    await pressButton(page, 'Zoom in');
    await expectToFit();
    expect(testPage.consoleErrors).toEqual([]);
    await testPage.close();
  });
});
