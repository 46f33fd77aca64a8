import type { Browser, Page } from 'playwright-core';
import { makeClient, saveClient, type NewClient } from '../../../api/clients/clients';
import { openBrowser } from '../../support/browser';
import { statusAndAllowedOrigin, CodecWorld, localSettings, valuesOf } from '../../api/codec/codec-world';

let browser: Browser;
let world: CodecWorld;
let operator: NewClient;
let caller: NewClient;
let page: Page;
let pageProblems: string[];
beforeAll(async () => {
  browser = await openBrowser();
  world = await CodecWorld.open({ ...localSettings, TEMPORAL_UI_CLEAR_TEXT: 'false', BRAND: 'Loja <b>&' });
  operator = makeClient('operations', ['operator:decode']);
  caller = makeClient('acme', ['*']);
  for (const client of [operator, caller]) await saveClient(world.api.dependencies.pool, client);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
beforeEach(async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
  pageProblems = [];
  page.on('pageerror', (error) => pageProblems.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) pageProblems.push(line.text());
  });
  await page.goto(`${world.api.address}/codec/sign-in`);
});
afterEach(async () => {
  await page.context().close();
  expect(pageProblems).toEqual([]);
});

async function signIn({ clientId, clientSecret }: NewClient): Promise<void> {
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const cookies = () => page.context().cookies(`${world.api.address}/v1/codec/decode`);

test('an operator signs in, and signs out', async () => {
  await page.getByRole('heading', { name: 'Sign in to read transactions in the Temporal UI' }).waitFor();
  expect(await page.title()).toBe('Sign in · Loja <b>&');
  await signIn(operator);
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await page.getByText('For 60 minutes').waitFor();
  const link = page.getByRole('link', { name: 'Open the Temporal UI' });
  expect(await link.getAttribute('href')).toBe(localSettings.TEMPORAL_UI_URL);
  const [cookie] = await cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/v1/codec/decode' });
  const transaction = await world.createTransaction('acme');
  const headers = { origin: localSettings.TEMPORAL_UI_URL, cookie: `${cookie?.name}=${cookie?.value}` };
  const response = await world.decode([await transaction.encrypt('clear')], { token: null, headers });
  expect([...statusAndAllowedOrigin(response), ...valuesOf(response)]).toEqual([
    200,
    localSettings.TEMPORAL_UI_URL,
    'clear',
  ]);
  expect(await world.auditOf(transaction)).toMatchObject([{ actor: operator.clientId }]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Client id').waitFor();
  expect(await cookies()).toEqual([]);
});

test('a client without the scope operator:decode gets no cookie, even if it has all scopes of callers', async () => {
  await signIn(caller);
  await page.getByRole('heading', { name: 'This client has no access' }).waitFor();
  expect(await cookies()).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with another client' }).click();
  await signIn(operator);
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
});

test('after an invalid access token, the page says so, and the operator can sign in with a client', async () => {
  await page.getByText('Use an access token instead').click();
  await page.getByLabel('Access token').fill('other');
  await page.getByRole('button', { name: 'Use this token' }).click();
  await page.getByRole('alert').getByText('This access token is invalid.').waitFor();
  await signIn(operator);
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
});

test('the page loads nothing from other hosts, and has no inline script', async () => {
  const response = await fetch(`${world.api.address}/codec/sign-in`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
  expect(response.headers.get('cache-control')).toBe('no-store');
  const html = await response.text();
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  expect(html).toContain('Loja &lt;b>&amp;');
});

test('the page is in the language of the browser, until the operator chooses another one', async () => {
  const context = await browser.newContext({ locale: 'es-AR' });
  const other = await context.newPage();
  await other.goto(`${world.api.address}/codec/sign-in`);
  await other.getByRole('heading', { name: 'Inicie sesión para leer transacciones' }).waitFor();
  await other.getByLabel('Id del cliente').fill('kept');
  await other.getByLabel('Idioma').selectOption('pt-BR');
  await other.getByRole('heading', { name: 'Entre para ler transações' }).waitFor();
  expect(await other.getByLabel('Id do cliente').inputValue()).toBe('kept');
  expect(await other.evaluate('[document.documentElement.lang, document.title]')).toEqual([
    'pt-BR',
    'Entrar · Loja <b>&',
  ]);
  await other.reload();
  await other.getByRole('heading', { name: 'Entre para ler transações' }).waitFor();
  await context.close();
});
