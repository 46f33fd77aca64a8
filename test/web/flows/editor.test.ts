import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { buildPauseFlow, FlowWorld } from '../../api/flows/flow-world';
import { localSettings, openFlows, type TestPage, waitForHeading } from '../../api/flows/page/flows-page-world';
import { openEditor, pauseText, readText, save, typeText, waitForValid } from './editor-page';

let browser: Browser;
let world: FlowWorld;
let testPage: TestPage | undefined;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
afterEach(async () => {
  expect(testPage?.consoleErrors).toEqual([]);
  expect([...(testPage?.hosts ?? [])]).toEqual([new URL(world.api.address).host]);
  await testPage?.close();
});

async function openPage(hash = '') {
  testPage = await openFlows(browser, world, { hash });
  return testPage.page;
}

async function openEditorOf(name: string, version = 1) {
  const page = await openPage();
  await openEditor(page, world, name, version);
  return page;
}

it('a user can write, check, save and activate a new flow', async () => {
  const page = await openPage();
  await page.getByRole('link', { name: 'New flow' }).click();
  await waitForHeading(page, 'New flow');
  await waitForValid(page);
  await page.getByRole('region', { name: 'Diagram of the text' }).locator('svg').waitFor();
  await page.getByRole('button', { name: 'Save as version 1' }).click();
  await page.getByText('Write a name for the flow first.').waitFor();
  await page.getByLabel('Name of the flow').fill('written-here');
  await typeText(page, pauseText(60));
  await page.getByText('Valid. A run takes at most 3 min, sends at most 0 messages, and ends as Done.').waitFor();
  await save(page, 1);
  await waitForHeading(page, 'written-here');
  await page.getByRole('main').getByText('Saved as version 1. No version is active yet.').waitFor();
  await page.getByRole('button', { name: 'Activate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Activate version 1?' });
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('main').getByText('Version 1 is active. New runs use it.').waitFor();
  await page.getByRole('heading', { name: 'Version 1 Active' }).waitFor();
  expect((await world.get('/v1/flows/written-here')).body).toMatchObject({ active: 1, newest: 1 });
  expect(await world.readAuditLog('written-here')).toMatchObject([
    ['flows-page', 'flow_version_added', {}],
    ['flows-page', 'flow_activated', {}],
  ]);
});

it('the diagram and the steps change with the typed text, and stay as they are while the text is not JSON', async () => {
  await world.put('typed', buildPauseFlow(1));
  const page = await openEditorOf('typed');
  const diagram = page.getByRole('region', { name: 'Diagram of the text' });
  const steps = page.getByRole('region', { name: 'Steps, texts and conditions' });
  await diagram.getByText('Waits 1 s', { exact: true }).waitFor();
  await typeText(page, pauseText(120));
  await diagram.getByText('Waits 2 min', { exact: true }).waitFor();
  await steps.getByText('Waits 2 min → end').waitFor();
  await page.keyboard.type('x');
  await page.getByText('1 issue', { exact: true }).waitFor();
  const hint = page.getByText('Diagram of an earlier text:');
  await hint.waitFor();
  expect(await diagram.getByText('Waits 2 min', { exact: true }).count()).toBe(1);
  expect(await steps.getByText('Waits 2 min → end').count()).toBe(1);
  await page.keyboard.press('Backspace');
  await waitForValid(page);
  expect(await hint.count()).toBe(0);
});

it('each issue shows its place in the text, and a click or F8 moves the cursor there', async () => {
  await world.put('wrong', buildPauseFlow(1));
  const page = await openEditorOf('wrong');
  await typeText(page, pauseText(-5, { start: 'paus' }));
  await page.getByText('2 issues', { exact: true }).waitFor();
  const issues = page.locator('.issues > li');
  expect((await issues.allInnerTexts()).map((text) => text.split('\n').filter(Boolean).slice(0, 2))).toEqual([
    ['Line 3, column 12 start', 'The start is paus, which is not a step.'],
    ['Line 7, column 18 steps.pause.seconds', 'seconds is -5.'],
  ]);
  const marks = page.locator('.cm-lintRange-error');
  expect(await marks.allInnerTexts()).toEqual(['"paus"', '-5']);
  await issues.last().getByRole('button').click();
  await page.keyboard.type('30');
  await page.getByText('1 issue', { exact: true }).waitFor();
  await page.keyboard.press('F8');
  expect(await page.locator('.cm-tooltip-lint code').allInnerTexts()).toEqual(['paus', 'pause', 'pause', 'end']);
  await page.keyboard.press('Delete');
  await save(page, 2);
  await page
    .getByText(/Fix the issues first|Checking/)
    .first()
    .waitFor();
  expect((await world.get('/v1/flows/wrong')).body).toMatchObject({ newest: 1 });
});

it('for a text that is not JSON, the editor shows the place of the error', async () => {
  await world.put('broken', buildPauseFlow(1));
  const page = await openEditorOf('broken');
  await typeText(page, '{\n  "start": }');
  await page.getByRole('button', { name: 'Line 2, column 12' }).waitFor();
  await page.getByText('Correct the JSON here, or just before.').waitFor();
});

it('an unsaved text is kept while the user looks at other views, and the user can discard it', async () => {
  await world.put('drafted', buildPauseFlow(1));
  const page = await openEditorOf('drafted');
  await typeText(page, pauseText(77));
  await waitForValid(page);
  await page.getByRole('link', { name: 'drafted' }).click();
  await waitForHeading(page, 'drafted');
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('This is your text that you have not saved yet.').waitFor();
  await page.locator('.cm-content').waitFor();
  expect(await readText(page)).toContain('77');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  expect(await readText(page)).not.toContain('77');
  await waitForValid(page);
  await save(page, 2);
  await page.getByRole('main').getByText('Nothing was saved, because the text equals version 1.').waitFor();
});

it('if a user discards a draft while the editor still loads, the editor shows the saved version', async () => {
  await world.put('early', buildPauseFlow(1));
  const page = await openEditorOf('early');
  await typeText(page, pauseText(77));
  await waitForValid(page);
  await page.getByRole('link', { name: 'early' }).click();
  await waitForHeading(page, 'early');
  await page.evaluate(`new MutationObserver((_, observer) => {
    const discard = [...document.querySelectorAll('button')].find((one) => one.textContent === 'Discard my changes');
    discard?.click();
    if (discard) observer.disconnect();
  }).observe(document.body, { childList: true, subtree: true })`);
  await page.getByRole('link', { name: 'Edit' }).click();
  await waitForValid(page);
  expect(await readText(page)).not.toContain('77');
  expect(await page.getByRole('button', { name: 'Discard my changes' }).count()).toBe(0);
});

it('if the user opens another view during a save, the page stays in that view and shows a notice when the save ends', async () => {
  await world.put('slow', buildPauseFlow(1));
  const page = await openEditorOf('slow');
  await typeText(page, pauseText(5));
  await waitForValid(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/v1/flows/slow', async (route) => {
    if (route.request().method() === 'PUT') await released;
    return route.continue();
  });
  const started = page.waitForRequest((request) => request.method() === 'PUT');
  await save(page, 2);
  await started;
  expect(await page.locator('.editor').getAttribute('inert')).not.toBeNull();
  await page.getByRole('link', { name: 'slow' }).click();
  await waitForHeading(page, 'slow');
  const toast = page.getByRole('status').getByText('Saved as version 2.').waitFor();
  release();
  await toast;
  await waitForHeading(page, 'slow');
  // The end of the toast must not remove the notice of a busy service, which is newer and lasts longer.
  let noticeAtRetry: string | undefined;
  let isBusy = true;
  await page.route(/\/v1\/flows(?:\?|$)/, async (route) => {
    if (!isBusy) {
      noticeAtRetry ??= await page.locator('.notice').innerText();
      return route.continue();
    }
    isBusy = false;
    return route.fulfill({ status: 503, headers: { 'retry-after': '4' } });
  });
  await page.getByRole('link', { name: 'All flows' }).click();
  await waitForHeading(page, 'Flows');
  expect(noticeAtRetry).toMatch(/busy/);
});

it('if the editor cannot be loaded, the user can load it again', async () => {
  const page = await openPage();
  await page.route('**/create-editor*', (route) => route.abort());
  await page.goto(`${world.api.address}/flows#/new-flow`);
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await page.unroute('**/create-editor*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.cm-content').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('a check is repeated after a new sign-in, and a text that was not checked cannot be saved', async () => {
  await world.put('unchecked', buildPauseFlow(1));
  const page = await openEditorOf('unchecked');
  await waitForValid(page);
  await page.route('**/check', (route) => route.fulfill({ status: 401, json: {} }), { times: 1 });
  await typeText(page, pauseText(5));
  await waitForValid(page);
  await page.route('**/check', (route) => route.abort());
  await typeText(page, pauseText(6));
  const notChecked = page.getByText('The text could not be checked, because the service did not answer.');
  await notChecked.waitFor();
  await save(page, 2);
  await notChecked.nth(1).waitFor();
});

it('the page says that a client without flows:write cannot save, and keeps the text', async () => {
  await world.put('read-only', buildPauseFlow(1));
  const token = await world.api.issueToken('local', ['flows:read', 'transaction:read']);
  const page = await openPage();
  await page.route('**/flows/session', (route) => route.fulfill({ json: { token } }));
  await openEditor(page, world, 'read-only', 1);
  await page.reload();
  await typeText(page, pauseText(5));
  await waitForValid(page);
  await save(page, 2);
  await page.getByText('Sign in with a client that has the scope flows:write.').waitFor();
  expect(await readText(page)).toContain('"seconds": 5');
});

it('if the service does not answer a save, the page says so and keeps the text, and the user can save it again', async () => {
  await world.put('cut', buildPauseFlow(1));
  const page = await openEditorOf('cut');
  await typeText(page, pauseText(5));
  await waitForValid(page);
  await page.route('**/v1/flows/cut', (route) => route.abort());
  await save(page, 2);
  await page.getByText('The service cannot be reached, so it may not have saved the flow.').waitFor();
  await page.unroute('**/v1/flows/cut');
  await save(page, 2);
  await page.getByRole('main').getByText('Saved as version 2.').waitFor();
});

it('if the service rejects a version after the check, the page shows the error', async () => {
  await world.put('limited', buildPauseFlow(1));
  const page = await openEditorOf('limited');
  await typeText(page, pauseText(5));
  await waitForValid(page);
  await page.route('**/v1/flows/limited', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          json: {
            status: 422,
            code: 'flow_version_limit_reached',
            title: 'The flow has too many versions',
            detail: 'Use another name.',
          },
        })
      : route.continue(),
  );
  await save(page, 2);
  await page.getByText('The flow has too many versions. Use another name.').waitFor();
});
