import type { FakeReviews } from './fake-reviews';
import { decide, waitForHeading, openReview, pressButton, signIn, type TestPage, useReviews } from './review-world';

let fake: FakeReviews;
let testPage: TestPage;
const openPage = useReviews((opened) => {
  fake = opened;
});
beforeEach(async () => {
  testPage = await openPage();
});

it('before the sign-in, the page shows no review, and explains why the sign-in is needed', async () => {
  const { page } = testPage;
  await waitForHeading(page, 'Sign in to review');
  await page.getByText('its id is recorded with each of your decisions').waitFor();
  expect(fake.requests.filter((line) => line.includes('/v1/'))).toEqual([]);
  expect(await page.title()).toBe('Sign in · Loja <b>&');
  await signIn(page);
  await waitForHeading(page, 'Reviews');
  await page.getByText('Signed in with reviewer-1').waitFor();
});

it('the page shows that a secret is wrong, and accepts the right one', async () => {
  const { page } = testPage;
  await signIn(page, 'reviewer-1', 'wrong');
  await page.getByRole('alert').getByText('The client id or the secret is wrong.').waitFor();
  await signIn(page);
  await waitForHeading(page, 'Reviews');
});

it('the page accepts an access token in place of a client secret, and says if the token is invalid', async () => {
  const { page } = testPage;
  fake.tokens.set('tok.en-1', 'reviewer-1');
  await page.getByText('Use an access token instead').click();
  for (const wrong of ['other', 'tökén']) {
    await page.getByLabel('Access token').fill(wrong);
    await pressButton(page, 'Use this token');
    await page.getByRole('alert').getByText('This access token is invalid.').waitFor();
  }
  await page.getByLabel('Access token').fill('tok.en-1');
  await pressButton(page, 'Use this token');
  await waitForHeading(page, 'Reviews');
});

it('the page does not store the access token: after a reload or a sign-out, it needs a new sign-in', async () => {
  const { page } = testPage;
  await signIn(page);
  await waitForHeading(page, 'Reviews');
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
  expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
  await page.reload();
  await waitForHeading(page, 'Sign in to review');
  await signIn(page);
  await openReview(page);
  await pressButton(page, 'Sign out');
  await waitForHeading(page, 'Sign in to review');
  expect(page.url()).toBe(fake.url);
  expect(await page.innerText('body')).not.toContain('Maria');
});

it('after the access token has expired, the page asks for a new sign-in, and keeps the draft without sending it', async () => {
  const { page } = testPage;
  await signIn(page);
  await openReview(page);
  fake.expireTokens();
  await decide(page, 'Reject', 'It is another person, I am sure.');
  await waitForHeading(page, 'Sign in to review');
  await page.getByRole('alert').getByText('Your access has expired').waitFor();
  expect(await page.getByText('Maria Silva').isVisible()).toBe(false);
  await signIn(page, 'reviewer-2');
  await page.getByRole('alert').getByText('You were signed out').waitFor();
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('It is another person, I am sure.');
  expect(fake.receivedDecisions).toEqual([]);
  await page.getByText('Recorded with reviewer-2').waitFor();
  await pressButton(page, 'Reject');
  await waitForHeading(page, 'No open reviews');
  expect(fake.receivedDecisions.map(({ by, body }) => [by, body.status])).toEqual([['reviewer-2', 'Rejected']]);
});

it('if the access token has expired, the page shows the requested review after the new sign-in', async () => {
  const { page } = testPage;
  await signIn(page);
  await waitForHeading(page, 'Reviews');
  fake.expireTokens();
  await page.getByRole('link', { name: /Waiting for/ }).click();
  await waitForHeading(page, 'Sign in to review');
  await signIn(page);
  await waitForHeading(page, /^Review of/);
});

it('the page explains a missing scope, and offers to sign in with another client', async () => {
  const { page } = testPage;
  fake.tokensHaveScope = false;
  await signIn(page);
  await waitForHeading(page, 'This client has no access');
  fake.tokensHaveScope = true;
  await pressButton(page, 'Sign in with another client');
  await signIn(page, 'reviewer-2');
  await waitForHeading(page, 'Reviews');
});
