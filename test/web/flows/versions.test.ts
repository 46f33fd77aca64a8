import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { buildPauseFlow, FlowWorld } from '../../api/flows/flow-world';
import { localSettings, openFlows, type TestPage, waitForHeading } from '../../api/flows/page/flows-page-world';
import { openEditor, pauseText, readText, save, typeText, waitForValid } from './editor-page';

let browser: Browser;
let world: FlowWorld;
const openPages: TestPage[] = [];
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
afterEach(async () => {
  for (const { consoleErrors, close } of openPages.splice(0)) {
    expect(consoleErrors).toEqual([]);
    await close();
  }
});

async function openPage(hash: string): Promise<Page> {
  const testPage = await openFlows(browser, world, { hash });
  openPages.push(testPage);
  return testPage.page;
}

async function openFlow(name: string, version: number): Promise<Page> {
  const page = await openPage(`#/flows/${name}/${version}`);
  await waitForHeading(page, name);
  return page;
}

const changedLines = (page: Page) => page.locator('.diff').locator('ins, del').allInnerTexts();
const readActive = async (name: string) => ((await world.get(`/v1/flows/${name}`)).body as { active: number }).active;

it('if two users edit the same version, the second user sees what the first one saved, and decides which text to keep', async () => {
  await world.createVersions('shared', 1, { activate: [1] });
  const [one, other] = [await openPage(''), await openPage('')];
  for (const page of [one, other]) await openEditor(page, world, 'shared', 1);
  await typeText(one, pauseText(60));
  await typeText(other, pauseText(3_600));
  await Promise.all([waitForValid(one), waitForValid(other)]);
  await save(one, 2);
  await one.getByRole('main').getByText('Saved as version 2. New runs still use version 1.').waitFor();
  await save(other, 2);
  const dialog = other.getByRole('dialog', { name: 'Somebody else saved a version' });
  await dialog.getByText('flows-page saved version 2 after you opened this flow.').waitFor();
  await dialog.locator('.diff').waitFor();
  expect((await changedLines(other)).map((line) => line.replace(/^\w+: /, '').trim())).toEqual([
    '"seconds": 60,',
    '"seconds": 3600,',
  ]);
  expect((await world.get('/v1/flows/shared')).body).toMatchObject({ newest: 2 });
  await dialog.getByRole('button', { name: 'Keep my text' }).click();
  await other.getByText('Your text is now based on version 2.').waitFor();
  await save(other, 3);
  await other.getByRole('main').getByText('Saved as version 3.').waitFor();
  expect((await world.get('/v1/flows/shared/versions/3')).body).toMatchObject({
    definition: { steps: { pause: { seconds: 3_600 } } },
  });
});

it('if somebody else saved a version first, a user can take that version in place of the unsaved text', async () => {
  await world.createVersions('taken', 1);
  const page = await openPage('');
  await openEditor(page, world, 'taken', 1);
  await typeText(page, pauseText(9));
  await waitForValid(page);
  await world.put('taken', buildPauseFlow(44));
  await save(page, 2);
  await page.getByRole('button', { name: 'Take version 2' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await readText(page)).toContain('"seconds": 44');
  await page.getByRole('link', { name: 'taken' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('This is your text that you have not saved yet.').waitFor();
  await page.locator('.cm-content').waitFor();
  await typeText(page, pauseText(45));
  await waitForValid(page);
  await save(page, 3);
  await page.getByRole('main').getByText('Saved as version 3.').waitFor();
});

it('a new flow does not replace a flow with the same name that somebody else added in the meantime', async () => {
  const page = await openPage('#/new-flow');
  await page.locator('.cm-content').waitFor();
  await page.getByLabel('Name of the flow').fill('both');
  await waitForValid(page);
  await world.put('both', buildPauseFlow(1));
  await save(page, 1);
  await page.getByRole('dialog', { name: 'Somebody else saved a version' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect((await world.get('/v1/flows/both')).body).toMatchObject({ newest: 1 });
});

it('before an activation or a rollback, the page shows how the two versions differ', async () => {
  await world.createVersions('rolled', 2, { activate: [1] });
  const page = await openFlow('rolled', 2);
  await page.getByRole('button', { name: 'Compare with the active version' }).click();
  const comparison = page.getByRole('dialog', { name: 'From version 1 to version 2' });
  await comparison.locator('.diff').waitFor();
  expect((await changedLines(page)).map((line) => line.trim())).toEqual([
    expect.stringContaining('"seconds": 1,'),
    expect.stringContaining('"seconds": 2,'),
  ]);
  await comparison.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await page.getByText('New runs then use version 2 in place of version 1.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('main').getByText('Version 2 is active. New runs use it.').waitFor();
  await page.getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' });
  await dialog.locator('.diff').waitFor();
  expect(await readActive('rolled')).toBe(2);
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('main').getByText('Rolled back. Version 1 is active, and new runs use it.').waitFor();
  await page.getByRole('heading', { name: 'Version 1 Active' }).waitFor();
  expect(await readActive('rolled')).toBe(1);
});

it('a rollback changes nothing if somebody else activated another version in the meantime', async () => {
  await world.createVersions('raced', 3, { activate: [1, 2] });
  const page = await openFlow('raced', 2);
  await page.getByRole('button', { name: 'Roll back' }).click();
  const dialog = page.getByRole('dialog', { name: 'Roll back to version 1?' });
  await world.activate('raced', 3);
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await dialog.getByText('Somebody else activated another version meanwhile').waitFor();
  expect(await readActive('raced')).toBe(3);
});

it('an activation changes nothing if somebody else activated another version in the meantime', async () => {
  await world.createVersions('overtaken', 3, { activate: [1] });
  const page = await openFlow('overtaken', 2);
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate version 2?' });
  await dialog.locator('.diff').waitFor();
  await world.activate('overtaken', 3);
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await dialog.getByText('Somebody else activated another version meanwhile').waitFor();
  expect(await readActive('overtaken')).toBe(3);
});

it('if the response to a rollback is lost, the page sends the request again, and the flow goes back only one version', async () => {
  await world.createVersions('lost', 3, { activate: [1, 2, 3] });
  const page = await openFlow('lost', 3);
  await page.getByRole('button', { name: 'Roll back' }).click();
  let requests = 0;
  await page.route('**/v1/flows/lost/rollback', async (route) => {
    requests += 1;
    const response = await route.fetch();
    return requests === 1 ? route.abort() : route.fulfill({ response });
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('main').getByText('Rolled back. Version 2 is active, and new runs use it.').waitFor();
  expect([requests, await readActive('lost')]).toEqual([2, 2]);
});

it('a version that somebody deleted in the meantime cannot be activated, and the page says so', async () => {
  await world.createVersions('gone', 2, { activate: [1] });
  const page = await openFlow('gone', 2);
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  await world.deleteVersion('gone', 2);
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('dialog').getByText('The flow has no such version.').waitFor();
});

it('a built-in flow can be read but not edited', async () => {
  const page = await openFlow('sms-token', 1);
  await page.getByText('Reviewed text sms-token').waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
});
