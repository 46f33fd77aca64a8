import { buildReview } from './build-review';
import type { FakeReviews } from './fake-reviews';
import { pressButton, signIn, type TestPage, useReviews, waitForHeading, waitForView } from './review-world';

let fake: FakeReviews;
let testPage: TestPage;
const openPage = useReviews((opened) => {
  fake = opened;
});
beforeEach(async () => {
  testPage = await openPage();
  await testPage.page.clock.install();
});

const listRequests = () => fake.countRequests('GET /v1/reviews');

it('a new review appears in the list within 20 seconds, and the focus stays where it is', async () => {
  const { page } = testPage;
  await signIn(page);
  const link = page.getByRole('link', { name: /Waiting for/ });
  await waitForView(page, 'Reviews');
  await link.focus();
  fake.reviews.push(buildReview());
  await page.clock.fastForward(20_000);
  await page.getByText('2 transactions wait for a decision').waitFor();
  expect(await link.count()).toBe(2);
  expect(await page.evaluate('document.activeElement.className')).toBe('row');
  expect(await page.title()).toBe('(2) Reviews · Loja <b>&');
});

it('while the service fails, the list keeps its entries, and it refreshes again after the failure', async () => {
  const { page } = testPage;
  await signIn(page);
  await waitForHeading(page, 'Reviews');
  await page.route('**/v1/reviews?*', (route) => route.fulfill({ status: 500 }), { times: 1 });
  await page.clock.fastForward(20_000);
  await page.clock.fastForward(20_000);
  await waitForHeading(page, 'Reviews');
  fake.reviews.push(buildReview());
  await page.clock.fastForward(20_000);
  await page.getByText('2 transactions wait for a decision').waitFor();
});

it('the list does not refresh by itself after a second page was loaded, or while a review is open', async () => {
  const { page } = testPage;
  fake.reviews = Array.from({ length: 30 }, () => buildReview());
  await signIn(page);
  await pressButton(page, 'Load more');
  await page.getByText('30 transactions').waitFor();
  const requests = listRequests();
  await page.clock.fastForward(60_000);
  await page
    .getByRole('link', { name: /Waiting for/ })
    .first()
    .click();
  await waitForHeading(page, /^Review of/);
  await page.clock.fastForward(60_000);
  expect(listRequests()).toBe(requests);
});
