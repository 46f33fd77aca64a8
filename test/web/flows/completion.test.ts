import type { Browser, Page } from 'playwright-core';
import { exitsOf, type Step } from '../../../domain/flows/definition';
import { purposes, templateNameOf } from '../../../flows/templates/purposes';
import { fixedExits } from '../../../web/flows/editor/fixed-exits';
import { openBrowser } from '../../support/browser';
import { FlowWorld } from '../../api/flows/flow-world';
import { localSettings, openFlows, type TestPage } from '../../api/flows/page/flows-page-world';
import { readText, typeText, waitForValid } from './editor-page';

let browser: Browser;
let world: FlowWorld;
let testPage: TestPage;
let page: Page;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
  testPage = await openFlows(browser, world, { hash: '#/new-flow' });
  ({ page } = testPage);
  await page.locator('.cm-content').waitFor();
});
afterAll(async () => {
  // When text replaces a selection, Chromium may add an inline style, which the content security policy blocks. This does no harm.
  expect(testPage.consoleErrors.filter((line) => !line.startsWith('Applying inline style'))).toEqual([]);
  await browser.close();
  await world.close();
});

/** The suggestions of the editor at the mark `|` in the text. */
async function suggestionsAt(text: string): Promise<string[]> {
  const [before = '', after = ''] = text.split('|');
  await page.keyboard.press('Escape');
  await typeText(page, before + after);
  for (let left = after.length; left > 0; left -= 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Space');
  const options = page.locator('.cm-tooltip-autocomplete li .cm-completionLabel');
  await options.first().waitFor();
  return options.allInnerTexts();
}

const stepWith = (fields: string) =>
  `{"start":"a","steps":{"a":{${fields}},"end":{"kind":"outcome","outcome":"Done"}}}`;

it.each([
  ['field names of a flow', '{|}', ['start', 'steps', '$schema', 'name', 'title', 'values']],
  ['kinds of new steps', '{"steps":{|}}', ['biometrics', 'confirm', 'decide', 'notify', 'outcome', 'wait']],
  ['kinds of a step', stepWith('"kind":"|"'), ['biometrics', 'confirm', 'decide', 'notify', 'outcome', 'wait']],
  [
    'the missing fields of the kind of a step',
    stepWith('"kind":"wait","seconds":1,|'),
    ['then', 'exhausted', 'visits'],
  ],
  ['names of steps', stepWith('"kind":"wait","seconds":1,"then":"|"'), ['a', 'end']],
  ['the start', '{"start":"|","steps":{"a":{},"b":{}}}', ['a', 'b']],
  ['values', stepWith('"kind":"confirm","channel":"|"'), ['email', 'sms', 'voice', 'whatsapp']],
  [
    'templates of the channel',
    stepWith('"kind":"confirm","channel":"email","ask":"reply","template":"|"'),
    [...purposes.map((purpose) => templateNameOf('email-2fa', purpose)), 'signer-email'],
  ],
  [
    'exits of a code',
    stepWith('"kind":"confirm","ask":"token","exits":{"Valid":"end",|}'),
    ['Blocked', 'Expired', 'Failed'],
  ],
  [
    'exits of a template',
    stepWith('"kind":"confirm","ask":"reply","template":"sms-2fa","exits":{|}'),
    ['Expired', 'Failed', 'No', 'Yes'],
  ],
  [
    'exits of a question with its own replies',
    stepWith('"kind":"confirm","ask":"reply","options":[{"name":"Later"}],"exits":{|}'),
    ['Expired', 'Failed', 'Later'],
  ],
  ['the step after an exit', stepWith('"kind":"notify","exits":{"Delivered":"|"}'), ['a', 'end']],
  ['outcomes', '{"steps":{"x":{"kind":"outcome","outcome":"|"},"end":{"kind":"outcome","outcome":"Done"}}}', ['Done']],
  ['channels in a list', stepWith('"kind":"biometrics","channels":["|"]'), ['email', 'sms', 'whatsapp']],
])('the editor suggests %s', async (_what, text, expected) => {
  expect((await suggestionsAt(text)).toSorted()).toEqual([...expected].toSorted());
});

it('a new step has all its required fields, and a flow can be written by keyboard alone', async () => {
  await suggestionsAt('{\n  "start": "",\n  "steps": {|}\n}');
  await page.keyboard.type('"wa');
  await page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: 'wait' }).waitFor();
  await page.keyboard.press('Enter');
  const text = await readText(page);
  expect(JSON.parse(text)).toEqual({ start: '', steps: { wait: { kind: 'wait', seconds: 1, then: '' } } });
  // The cursor is in the first empty value.
  await page.keyboard.type('end');
  expect(JSON.parse(await readText(page))).toMatchObject({ steps: { wait: { then: 'end' } } });
  const { wait } = (JSON.parse(text) as { steps: { wait: object } }).steps;
  const end = { kind: 'outcome', outcome: 'Done' };
  await typeText(page, JSON.stringify({ start: 'wait', steps: { wait: { ...wait, then: 'end' }, end } }));
  await page.getByLabel('Name of the flow').fill('by-keyboard');
  await waitForValid(page);
});

it('the editor suggests the same exits as the service has', () => {
  const confirm = { kind: 'confirm', channel: 'sms' } as const;
  expect(fixedExits).toEqual({
    token: exitsOf({ ...confirm, ask: 'token' } as Step),
    reply: exitsOf({ ...confirm, ask: 'reply' } as Step),
    biometrics: exitsOf({ kind: 'biometrics' } as Step),
    notify: exitsOf({ kind: 'notify' } as Step),
    deliverWithin: exitsOf({ ...confirm, ask: 'token', deliverWithinSeconds: 20 } as Step).slice(-1),
  });
});
