import type { Browser } from 'playwright-core';
import { saveClient } from '../../../api/clients/clients';
import type { Scope } from '../../../api/http/auth/access-tokens';
import { openBrowser } from '../../support/browser';
import { FlowWorld } from '../../api/flows/flow-world';
import { waitForHeading, openFlows } from '../../api/flows/page/flows-page-world';

const clientSecret = 'only-for-tests-and-long-enough-for-them';

let browser: Browser;
let world: FlowWorld;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open();
  const save = (clientId: string, scopes: Scope[]) =>
    saveClient(world.api.dependencies.pool, { clientId, tenant: 'local', scopes, clientSecret });
  await save('reader', ['flows:read', 'transaction:read']);
  await save('reviewer', ['biometrics:review']);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

it('the page shows no flows before a sign-in with the scope for flows, and stores no access token', async () => {
  const { page, consoleErrors, close } = await openFlows(browser, world);
  const signIn = async (id: string) => {
    await waitForHeading(page, 'Sign in to see flows');
    await page.getByLabel('Client id').fill(id);
    await page.getByLabel('Client secret').fill(clientSecret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  await signIn('reviewer');
  await waitForHeading(page, 'This client has no access');
  await page.getByRole('button', { name: 'Sign in with another client' }).click();
  await signIn('reader');
  await waitForHeading(page, 'Flows');
  await page.getByRole('link', { name: /sms-token/ }).click();
  await waitForHeading(page, 'sms-token');
  await page.getByText('Signed in with reader').waitFor();
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
  await page.reload();
  await waitForHeading(page, 'Sign in to see flows');
  expect(consoleErrors).toEqual([]);
  await close();
});
