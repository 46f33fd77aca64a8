import { buildReview } from './build-review';
import type { FakeReviews } from './fake-reviews';
import {
  decide,
  waitForHeading,
  openReview,
  pressButton,
  signIn,
  type TestPage,
  useReviews,
  waitForView,
} from './review-world';

let fake: FakeReviews;
let testPage: TestPage;
const openPage = useReviews((opened) => {
  fake = opened;
});

async function openReviewList(hash = ''): Promise<TestPage['page']> {
  testPage = await openPage({ hash });
  await signIn(testPage.page);
  return testPage.page;
}

const reviewLinks = () => testPage.page.getByRole('link', { name: /Waiting for/ });

it('the list has the open reviews with their findings, oldest first, and the title of the page has their count', async () => {
  const findings = [{ capture: 'selfie', code: 'low_similarity' } as const];
  fake.reviews = [buildReview({ findings }), buildReview()];
  const page = await openReviewList();
  await page.getByText('2 transactions wait for a decision').waitFor();
  expect(await page.title()).toBe('(2) Reviews · Loja <b>&');
  const texts = await reviewLinks().allInnerTexts();
  expect(texts[0]).toContain(fake.reviews[0]?.transactionId);
  expect(texts[0]).toContain('Selfie: does not match the document');
  expect(texts[0]).toContain('2 Mar 2026, 10:21');
  expect(texts[1]).toContain('No findings');
});

it('the list loads more reviews, shows each review once, and moves the focus to the first new review', async () => {
  fake.reviews = Array.from({ length: 60 }, () => buildReview());
  const page = await openReviewList();
  await page.getByText('25+ transactions').waitFor();
  expect(await reviewLinks().count()).toBe(25);
  // The new review moves all others down: the last review of the first page is also on the second page.
  fake.reviews.unshift(buildReview());
  await pressButton(page, 'Load more');
  await page.getByText('49+ transactions').waitFor();
  expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(`#/reviews/${fake.reviews[26]?.id}`);
  await pressButton(page, 'Load more');
  await page.getByText('60 transactions').waitFor();
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  expect(
    new Set(await page.evaluate<string[]>("[...document.querySelectorAll('a.row')].map(({ href }) => href)")).size,
  ).toBe(60);
});

it('the list shows that no review is open, and refreshes on request', async () => {
  const review = buildReview();
  fake.reviews = [];
  const page = await openReviewList();
  await waitForHeading(page, 'No open reviews');
  expect(await page.title()).toBe('Reviews · Loja <b>&');
  fake.reviews = [review];
  await pressButton(page, 'Refresh');
  await page.getByText('1 transaction waits for a decision').first().waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Refresh');
});

it('a reviewer can open a review by keyboard, and can go back to it with the browser', async () => {
  const page = await openReviewList();
  await waitForView(page, 'Reviews');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForView(page, /^Review of/);
  await page.getByRole('link', { name: 'All reviews (1)' }).click();
  await waitForHeading(page, 'Reviews');
  await page.goBack();
  await waitForHeading(page, /^Review of/);
});

it('after the sign-in, the page opens the review that its address names', async () => {
  fake.reviews = [buildReview(), buildReview()];
  const page = await openReviewList(`#/reviews/${fake.reviews[1]?.id}`);
  await waitForHeading(page, new RegExp(String(fake.reviews[1]?.transactionId)));
});

it.each(['#/reviews/%E0%A4%A', '#/reviews/../../x', '#nothing'])(
  'the page shows the list for the invalid address %s',
  async (hash) => {
    const page = await openReviewList(hash);
    await waitForHeading(page, 'Reviews');
  },
);

it('the page says that a review does not exist any more, and shows the list', async () => {
  const page = await openReviewList('#/reviews/5f0c4ac2-0000-4000-8000-000000000000');
  await waitForHeading(page, 'Reviews');
  await page.getByText('This review does not exist any more.').first().waitFor();
});

it('after a decision, the page shows the next loaded review, or the oldest open review if no loaded review follows', async () => {
  fake.reviews = Array.from({ length: 27 }, () => buildReview());
  const page = await openReviewList();
  await openReview(page, 23);
  await decide(page, 'Approve', 'Same person.');
  await waitForHeading(page, new RegExp(String(fake.reviews[24]?.transactionId)));
  await page.getByText('Approved. This is the next review.').first().waitFor();
  await decide(page, 'Approve', 'Same person.');
  await waitForHeading(page, new RegExp(String(fake.reviews[0]?.transactionId)));
  expect(await page.title()).toBe('(23+) Review · Loja <b>&');
});

it('the list does not show a decided review again, even if the API still returns it', async () => {
  const page = await openReviewList();
  fake.listIsStale = true;
  await openReview(page);
  await decide(page, 'Approve', 'Same person.');
  await waitForHeading(page, 'No open reviews');
  await pressButton(page, 'Refresh');
  await page.getByText('No open reviews').nth(1).waitFor({ state: 'attached' });
  expect(await reviewLinks().count()).toBe(0);
});

it('the page requests the list again while the service is busy, and offers a retry if the service cannot be reached', async () => {
  testPage = await openPage();
  const { page } = testPage;
  await page.route('**/v1/reviews?*', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' } }), {
    times: 1,
  });
  await signIn(page);
  await page.getByText('The service is busy. Trying again in 1 second.').waitFor();
  await waitForHeading(page, 'Reviews');
  await page.route('**/v1/reviews?*', (route) => route.abort(), { times: 3 });
  await pressButton(page, 'Refresh');
  await page.getByText('The connection failed. Trying again in 1 second.').waitFor();
  await waitForHeading(page, 'The service cannot be reached');
  await pressButton(page, 'Try again');
  await waitForHeading(page, 'Reviews');
});

it('a review that loads slowly does not replace a review that was opened after it', async () => {
  fake.reviews = [buildReview(), buildReview()];
  const [slow, fast] = fake.reviews;
  const page = await openReviewList();
  await waitForHeading(page, 'Reviews');
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    void page.route(`**/v1/reviews/${slow?.id}`, async (route) => {
      resolve();
      await released;
      await route.continue().catch(() => undefined);
    });
  });
  await reviewLinks().nth(0).click();
  await arrived;
  await reviewLinks().nth(1).click();
  await waitForHeading(page, new RegExp(String(fast?.transactionId)));
  release();
  await page.locator('.stage img').nth(2).waitFor();
  await waitForHeading(page, new RegExp(String(fast?.transactionId)));
  expect(await page.getByText(String(slow?.transactionId)).count()).toBe(0);
});
