import type { Browser, Page } from 'playwright-core';
import { ApiWorld } from '../api/api-world';
import { openBrowser } from '../support/browser';
import { startPostgres, type TestPostgres } from '../support/postgres';

let postgres: TestPostgres;
let world: ApiWorld;
let browser: Browser;
beforeAll(async () => {
  postgres = await startPostgres();
  world = await ApiWorld.open({ DATABASE_URL: await postgres.createDatabase() });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await world.close();
  await postgres.stop();
});

/** The addresses for which the browser opens its password box. A browser without a window closes the box at once. */
async function watchPasswordBoxes(page: Page): Promise<string[]> {
  const addresses: string[] = [];
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', ({ requestId }) => void session.send('Fetch.continueRequest', { requestId }));
  session.on('Fetch.authRequired', ({ requestId, request }) => {
    addresses.push(request.url);
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'CancelAuth' } });
  });
  await session.send('Fetch.enable', { handleAuthRequests: true });
  return addresses;
}

test('a wrong secret shows an error in the dialog, and the browser does not open its own password box', async () => {
  const page = await browser.newPage();
  const passwordBoxes = await watchPasswordBoxes(page);
  await page.goto(`${world.address}/docs/api/flows`);
  await page.getByText('Try listFlows', { exact: true }).click();
  await page.getByRole('button', { name: 'Get a token for a client' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Client id').fill('nobody');
  await dialog.getByLabel('Client secret').fill('wrong');
  await dialog.getByRole('button', { name: 'Get token' }).click();
  await dialog.getByText('The client id or the secret is wrong.').waitFor();
  expect(passwordBoxes).toEqual([]);
  await page.close();
});

test('a form shows that the service rejects a client, and the browser does not open its own password box', async () => {
  const page = await browser.newPage();
  const passwordBoxes = await watchPasswordBoxes(page);
  await page.goto(`${world.address}/docs/api/access`);
  await page.getByText('Try createToken', { exact: true }).click();
  await page.locator('.try-form').getByRole('button', { name: 'Send' }).click();
  await page.getByText('401 Unauthorized').waitFor();
  expect(passwordBoxes).toEqual([]);
  await page.close();
});
