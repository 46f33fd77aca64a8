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
beforeEach(async () => {
  fake.reviews = [buildReview(), buildReview()];
  testPage = await openPage();
  await signIn(testPage.page);
  await openReview(testPage.page);
});

const sentDecisions = () => fake.receivedDecisions.map(({ body }) => body);
const idempotencyKeys = () => new Set(fake.receivedDecisions.map(({ key }) => key));
const waitForAlert = (text: string | RegExp) => testPage.page.getByRole('alert').getByText(text).waitFor();
const secondReviewHeading = () => new RegExp(String(fake.reviews[1]?.transactionId));

it.each([
  ['Approve', 'Approve', 'Approved'],
  ['Reject', 'Reject', 'Rejected'],
  ['Inconclusive', 'Mark as inconclusive', 'Inconclusive'],
])('the page saves a decision with its reason: %s', async (choice, button, status) => {
  const { page } = testPage;
  await decide(page, choice, '  Because I looked.  ', button);
  await waitForHeading(page, secondReviewHeading());
  expect(sentDecisions()).toEqual([{ status, reason: 'Because I looked.' }]);
  expect([...idempotencyKeys()]).toEqual([expect.stringMatching(/^[0-9a-z]+(-[0-9a-z]+){3}$/)]);
});

it('the page says what is missing in a decision, and does not send the decision', async () => {
  const { page } = testPage;
  await pressButton(page, 'Decide');
  await waitForAlert('Choose a decision first.');
  await page.getByRole('radio', { name: 'Reject' }).check();
  for (const [reason, text] of [
    ['', 'Write a short reason'],
    ['  ab ', 'at least 3 characters'],
    ['x'.repeat(501), 'has 501 characters; at most 500 are allowed'],
  ] as const) {
    await page.getByLabel('Reason', { exact: true }).fill(reason);
    await pressButton(page, 'Reject');
    await waitForAlert(text);
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Reason');
  }
  expect(fake.receivedDecisions).toEqual([]);
  await decide(page, 'Reject', 'x'.repeat(500));
  await waitForHeading(page, secondReviewHeading());
});

it('a suggested reason replaces an earlier suggestion, and is added to a typed text', async () => {
  const { page } = testPage;
  const reason = page.getByLabel('Reason', { exact: true });
  await page.getByRole('radio', { name: 'Reject' }).check();
  await pressButton(page, 'The data on the document differ.');
  await pressButton(page, 'The document looks altered.');
  expect(await reason.inputValue()).toBe('The document looks altered.');
  await reason.fill('Seen twice.');
  await pressButton(page, 'The data on the document differ.');
  expect(await reason.inputValue()).toBe('Seen twice. The data on the document differ.');
});

it('a decision works with the keyboard only', async () => {
  const { page } = testPage;
  await waitForView(page, /^Review of/);
  await page.getByRole('radio', { name: 'Approve' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Another person');
  for (let suggestion = 0; suggestion < 4; suggestion += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await waitForHeading(page, secondReviewHeading());
  expect(sentDecisions()).toEqual([{ status: 'Rejected', reason: 'Another person' }]);
});

it('after a failed connection, the page sends a decision again with the same idempotency key, so it is saved once', async () => {
  const { page } = testPage;
  fake.decisionFailures = ['lose'];
  await decide(page, 'Approve', 'Same person.');
  await page.getByText('The connection failed.').waitFor();
  await waitForHeading(page, secondReviewHeading());
  expect(fake.receivedDecisions).toHaveLength(2);
  expect(idempotencyKeys().size).toBe(1);
});

it('when the reviewer presses the button again, the idempotency key stays the same, and a changed decision gets a new key', async () => {
  const { page } = testPage;
  fake.decisionFailures = ['lose', 'lose', 'lose', 'internal'];
  await decide(page, 'Approve', 'Same person.');
  await waitForAlert('the decision may not have arrived');
  await pressButton(page, 'Approve');
  await waitForAlert(/Title of internal_error.*Trace id: trace-1/);
  expect(fake.receivedDecisions).toHaveLength(4);
  expect(idempotencyKeys().size).toBe(1);
  await decide(page, 'Approve', 'Same person, surely.');
  await page.getByText('This review was already decided').first().waitFor();
  expect(idempotencyKeys().size).toBe(2);
});

it('the page waits while the service is busy, and then sends the decision again', async () => {
  fake.decisionFailures = ['busy'];
  await decide(testPage.page, 'Approve', 'Same person.');
  await testPage.page.getByText('The service is busy. Trying again in 1 second.').waitFor();
  await waitForHeading(testPage.page, secondReviewHeading());
  expect(idempotencyKeys().size).toBe(1);
});

it('the page says that another reviewer has decided, and shows the list without this review', async () => {
  const { page } = testPage;
  fake.decisionFailures = ['taken'];
  await decide(page, 'Approve', 'Same person.');
  await waitForHeading(page, 'Reviews');
  await page.getByText('This review was already decided, by another reviewer').first().waitFor();
  await page.getByText('1 transaction waits for a decision').first().waitFor();
  expect(page.url()).toBe(`${fake.url}#/`);
});

it('the page shows the errors of a decision, and keeps the draft', async () => {
  const { page } = testPage;
  fake.decisionFailures = ['invalid'];
  await decide(page, 'Approve', 'SAME PERSON');
  await waitForAlert('reason must not be shouted');
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('SAME PERSON');
});

it('the page keeps the draft of a decision while another view is open', async () => {
  const { page } = testPage;
  await page.getByRole('radio', { name: 'Inconclusive' }).check();
  await page.getByLabel('Reason', { exact: true }).fill('Begun');
  await page.getByRole('link', { name: /All reviews/ }).click();
  await openReview(page, 1);
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('');
  await page.getByRole('link', { name: /All reviews/ }).click();
  await openReview(page, 0);
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('Begun');
  expect(await page.getByRole('radio', { name: 'Inconclusive' }).isChecked()).toBe(true);
});
