import type { Browser, Page } from 'playwright-core';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { FlowWorld } from '../../api/flows/flow-world';
import { buildRun } from '../../api/flows/page/build-run';
import { localSettings, openFlows, saveRuns, waitForHeading } from '../../api/flows/page/flows-page-world';
import { openBrowser } from '../../support/browser';
import { findInViews, findViolations, loadAxe, pageBytesMax } from '../page-checks';
import { openEditor, typeText } from './editor-page';

let browser: Browser;
let world: FlowWorld;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
  for (const { version: _version, name, ...definition } of [stepUpFlow, whatsappFirstFlow]) {
    await world.put(name, definition);
    await world.put(name, { ...definition, title: 'The newer one' });
    await world.activate(name, 1);
    await world.activate(name, 2);
  }
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

const expectNoViolation = async (page: Page) => expect(await findInViews(page, page.url())).toEqual([]);

it('axe, which finds accessibility errors, finds an editor without a name; this proves that the next tests can fail', async () => {
  const { page, close } = await openFlows(browser, world);
  await openEditor(page, world, 'step-up', 1);
  await loadAxe(page);
  await page.evaluate(
    `document.querySelector('.editor').shadowRoot.querySelector('.cm-content').removeAttribute('aria-label')`,
  );
  expect((await findViolations(page)).map(({ id }) => id)).toContain('aria-input-field-name');
  await close();
});

it('axe finds no violation in views with flow runs, in light and dark mode, on wide and narrow screens', async () => {
  const run = buildRun(['step-up', 1], new Date().toISOString(), [['risk', 1, 'else', 'A reason'], ['tell']]);
  const { id } = await saveRuns(world, [run]);
  const { page, consoleErrors, close } = await openFlows(browser, world);
  for (const [hash, heading] of [
    ['#/flows/step-up', 'step-up'],
    [`#/transactions/${id}`, /^Runs of/],
    [`#/transactions/${id}/${run.id}`, /^Run of/],
  ] as const) {
    await page.goto(`${world.api.address}/flows${hash}`);
    await waitForHeading(page, heading);
    await expectNoViolation(page);
  }
  expect(consoleErrors).toEqual([]);
  await close();
});

it('axe finds no violation in the editor, its suggestions and its dialogs', async () => {
  const { page, consoleErrors, close } = await openFlows(browser, world);
  await openEditor(page, world, 'step-up', 2);
  await page.getByText(/^Valid\./).waitFor();
  await expectNoViolation(page);
  await typeText(page, '{"start":"","steps":{}}');
  await page.locator('.issues > li').first().waitFor();
  await expectNoViolation(page);
  await page
    .getByRole('button', { name: /^Line 1/ })
    .first()
    .click();
  await page.keyboard.press('Control+Space');
  await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
  await expectNoViolation(page);
  await page.goto(`${world.api.address}/flows#/flows/step-up/2`);
  await page.getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('dialog').locator('.diff').waitFor();
  await expectNoViolation(page);
  expect(consoleErrors).toEqual([]);
  await close();
});

it('a user can change, save and activate a flow with the keyboard only', async () => {
  const { page, close } = await openFlows(browser, world, { hash: '#/flows/whatsapp-first/2' });
  await waitForHeading(page, 'whatsapp-first');
  /** `name`: the text or name of the element. */
  const tabTo = async (name: string) => {
    const focused = `(() => {
      let element = document.activeElement;
      while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element.getAttribute('aria-label') ?? element.textContent.trim();
    })()`;
    for (let presses = 0; presses < 80; presses += 1) {
      if ((await page.evaluate(focused)) === name) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The focus does not reach ${name}.`);
  };
  await tabTo('Edit');
  await page.keyboard.press('Enter');
  await page.locator('.cm-content').waitFor();
  await tabTo('Text of the flow, JSON');
  await page.keyboard.press('Control+Home');
  const lines = await page.locator('.cm-line').allTextContents();
  for (let line = lines.findIndex((text) => text.includes('"title"')); line > 0; line -= 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' by keyboard');
  await page.getByText(/^Valid\./).waitFor();
  await tabTo('Save as version 3');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('Saved as version 3.').waitFor();
  await tabTo('Activate');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Activate version 3?' });
  await dialog.locator('.diff').waitFor();
  await tabTo('Activate');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByText('Version 3 is active.').waitFor();
  expect((await world.get('/v1/flows/whatsapp-first')).body).toMatchObject({
    active: 3,
    title: 'The newer one by keyboard',
  });
  await close();
});

it('the files of the page have at most 150 KB, also with the editor, and the data of the API at most 15 KB', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const files: Promise<number>[] = [];
  const data: Promise<number>[] = [];
  // The page reads some data every few seconds, but only the first answer counts.
  const seen = new Set<string>();
  page.on('requestfinished', (request) => {
    if (seen.has(request.url())) return;
    seen.add(request.url());
    const list = new URL(request.url()).pathname.startsWith('/v1/') ? data : files;
    list.push(request.sizes().then((sizes) => sizes.responseBodySize + sizes.responseHeadersSize));
  });
  const countBytes = async (list: readonly Promise<number>[]) =>
    (await Promise.all(list)).reduce((sum, size) => sum + size, 0);
  await page.goto(`${world.api.address}/flows`);
  await waitForHeading(page, 'Flows');
  const listBytes = await countBytes(files);
  await openEditor(page, world, 'step-up', 1);
  const editorBytes = await countBytes(files);
  const dataBytes = await countBytes(data);
  const [list, editor, answers] = [listBytes, editorBytes, dataBytes].map((bytes) => (bytes / 1024).toFixed(0));
  console.log(`/flows: ${list} KB; with the editor ${editor} KB, and ${answers} KB of data`);
  expect(editorBytes).toBeLessThan(pageBytesMax);
  expect(dataBytes).toBeLessThan(15 * 1024);
  await context.close();
});

it.each([
  ['pt-BR', 'Fluxos', 'Etapas, textos e condições', 'para confirmar. Vale por'],
  ['en', 'Flows', 'Steps, texts and conditions', 'your code is'],
  ['es', 'Flujos', 'Pasos, textos y condiciones', 'No se lo diga a nadie'],
] as const)('the page is in %s for a browser that prefers this language', async (locale, heading, steps, message) => {
  const { page, consoleErrors, close } = await openFlows(browser, world, { locale });
  await waitForHeading(page, heading);
  expect(await page.evaluate('document.documentElement.lang')).toBe(locale);
  await page.goto(`${world.api.address}/flows#/flows/whatsapp-first`);
  await page.getByRole('heading', { name: steps }).waitFor();
  // At first, the messages are in the language of the page.
  await page.getByText(message).first().waitFor();
  expect(consoleErrors).toEqual([]);
  await close();
});

it('the browser remembers the language of the page, and the language of the messages to the person is chosen separately', async () => {
  const { page, close } = await openFlows(browser, world, { locale: 'en', hash: '#/flows/whatsapp-first' });
  await page.getByLabel('Language of the texts').selectOption('es');
  await page.getByText('No se lo diga a nadie').first().waitFor();
  await page.getByLabel('Language', { exact: true }).selectOption('pt-BR');
  await page.getByRole('heading', { name: 'Etapas, textos e condições' }).waitFor();
  await page.locator('.drawing').getByText('Pergunta pelo WhatsApp', { exact: true }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Etapas, textos e condições' }).waitFor();
  await close();
});

it('the diagrams of a text and of an ended run follow the language of the page', async () => {
  const run = buildRun(
    ['whatsapp-first', 1],
    new Date().toISOString(),
    [
      ['question', 1, 'Yes'],
      ['confirmed', 0],
    ],
    {
      ...{ status: 'Completed', outcome: 'Confirmed' },
    },
  );
  const { id } = await saveRuns(world, [run]);
  const { page, close } = await openFlows(browser, world, { locale: 'en', hash: `#/transactions/${id}/${run.id}` });
  const shows = (text: string) => page.locator('.drawing').getByText(text, { exact: true }).waitFor();
  const choose = (language: string) => page.getByLabel(/^(Language|Idioma)$/).selectOption(language);
  await shows('Question on WhatsApp');
  await choose('pt-BR');
  await shows('Pergunta pelo WhatsApp');
  await openEditor(page, world, 'whatsapp-first', 1);
  await shows('Pergunta pelo WhatsApp');
  await choose('es');
  await shows('Pregunta por WhatsApp');
  await close();
});

it('the page starts in a browser that blocks the local storage', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  await context.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } })`,
  );
  const page = await context.newPage();
  await page.goto(`${world.api.address}/flows`);
  await waitForHeading(page, 'Flows');
  await page.getByLabel('Language').selectOption('pt-BR');
  await waitForHeading(page, 'Fluxos');
  await context.close();
});
