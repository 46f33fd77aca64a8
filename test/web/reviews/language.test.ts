import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeReviews } from './fake-reviews';
import { openReviewsPage } from './review-world';

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

it.each([
  ['pt-BR', ['Id do cliente', 'Segredo do cliente', 'Entrar'], /Em espera há \d+ dias/, 'Aprovar', '3 de mai. de 1990'],
  [
    'es-MX',
    ['Id del cliente', 'Secreto del cliente', 'Iniciar sesión'],
    /En espera desde hace/,
    'Aprobar',
    '3 may 1990',
  ],
])(
  'if the browser of a reviewer prefers %s, the page is in this language',
  async (locale, signIn, row, approve, birthdate) => {
    const [id = '', secret = '', submit = ''] = signIn;
    const testPage = await openReviewsPage(browser, fake, { locale });
    const { page, consoleErrors } = testPage;
    await page.getByLabel(id).fill('reviewer-1');
    await page.getByLabel(secret).fill('right');
    await page.getByRole('button', { name: submit, exact: true }).click();
    await page.getByRole('link', { name: row }).click();
    await page.getByRole('radio', { name: approve }).check();
    expect(await page.innerText('main')).toContain(birthdate);
    expect(consoleErrors).toEqual([]);
    await testPage.close();
  },
);

it('a change of the language keeps the view and the draft, and the browser remembers the language', async () => {
  const testPage = await openReviewsPage(browser, fake);
  const { page } = testPage;
  await page.getByLabel('Client id').fill('reviewer-1');
  await page.getByLabel('Client secret').fill('right');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: /Waiting for/ }).click();
  await page.getByLabel('Reason', { exact: true }).fill('Begun');
  await page.getByLabel('Language').selectOption('Español');
  expect(await page.getByLabel('Motivo', { exact: true }).inputValue()).toBe('Begun');
  await page.waitForFunction("document.title === '(1) Revisión · Loja <b>&'");
  expect(await page.evaluate('document.documentElement.lang')).toBe('es');
  await page.reload();
  await page.getByRole('heading', { name: 'Inicie sesión para revisar' }).waitFor();
  await testPage.close();
});
