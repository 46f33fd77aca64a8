import type { Browser } from 'playwright-core';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { openBrowser } from '../../support/browser';
import { waitUntil } from '../../support/wait-until';
import { waitForView } from '../reviews/review-world';
import { FlowWorld } from '../../api/flows/flow-world';
import { buildRun } from '../../api/flows/page/build-run';
import {
  waitForHeading,
  saveRuns,
  openFlows,
  localSettings,
  readTableRows,
  type TestPage,
} from '../../api/flows/page/flows-page-world';

let browser: Browser;
let world: FlowWorld;
let testPage: TestPage | undefined;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
  const { version: _version, name, ...definition } = whatsappFirstFlow;
  await world.put(name, definition);
  await world.put(name, { ...definition, title: 'The newer one' });
  await world.activate(name, 1);
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

/** The numbers of flow runs on the steps: only they have the smallest font of a diagram. */
const numberSelector = '.drawing text[font-size="11.00"]';
const now = () => new Date().toISOString();
const firstVersion = ['whatsapp-first', 1] as const;
const confirmed = { status: 'Completed', outcome: 'Confirmed' } as const;

async function openFlowsPage(hash = '', headingText: string | RegExp = 'Flows') {
  testPage = await openFlows(browser, world, { hash });
  await waitForView(testPage.page, headingText);
  return testPage.page;
}

it('a new view starts at its top at once, even if the view before was scrolled', async () => {
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  await page.evaluate(`new Promise((resolve) => {
    addEventListener('scroll', resolve, { once: true });
    scrollTo({ top: 400, behavior: 'instant' });
  })`);
  await page.evaluate("positions = []; addEventListener('scroll', () => positions.push(scrollY))");
  await page.evaluate("location.hash = '#/flows/whatsapp-first/2'");
  await page.getByRole('heading', { name: 'Version 2' }).waitFor();
  // The browser sends the event of a scroll with its next frame. A slow scroll would have sent other positions before.
  await waitUntil(async () => (await page.evaluate('positions.at(-1)')) === 0);
  expect(await page.evaluate('positions')).toEqual([0]);
});

it('the page lists flows with their versions, and a user can open them by keyboard', async () => {
  const page = await openFlowsPage();
  await page.getByText('Local stack: this machine needs no sign-in').waitFor();
  const row = page.getByRole('link', { name: /whatsapp-first/ });
  expect((await row.innerText()).split('\n').filter(Boolean)).toEqual([
    'whatsapp-first',
    'WhatsApp, then SMS, e-mail last',
    'Version 1 active',
    'Newest: version 2',
    'Your own',
  ]);
  await row.focus();
  await page.keyboard.press('Enter');
  await waitForView(page, 'whatsapp-first');
  expect(await page.title()).toBe('whatsapp-first · Loja <b>&');
});

it('the page shows a version with the numbers of its flow runs, and refreshes these numbers', async () => {
  await saveRuns(world, [buildRun(firstVersion, now(), [['question', 9, 'Yes'], ['confirmed']], confirmed)]);
  const state = await saveRuns(world, [buildRun(firstVersion, now(), [['question', 180, 'Expired'], ['sms-code']])]);
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  await page.getByRole('heading', { name: 'Version 1 Active' }).waitFor();
  await page.getByText('2 runs in the last 7 days').waitFor();
  expect((await readTableRows(page, 'Outcomes')).filter(([, runs]) => runs !== '0')).toEqual([
    ['Confirmed', '1', '50%'],
    ['Still running', '1', '50%'],
  ]);
  const readNumbers = () => page.locator(numberSelector).allTextContents();
  expect((await readNumbers()).toSorted()).toEqual(['1', '1', '2']);
  await page.getByRole('radio', { name: 'are at it now' }).check();
  await waitUntil(async () => (await page.locator(numberSelector).count()) === 1);
  const [run] = state.runs;
  if (!run) throw new Error('There is no run.');
  const endedRun = buildRun(
    firstVersion,
    now(),
    [['question', 1, 'Expired'], ['sms-code', 2, 'Valid'], ['confirmed']],
    confirmed,
  );
  await saveRuns(world, [{ ...endedRun, id: run.id }], { id: state.id, version: 2 });
  await page.getByRole('row', { name: 'Confirmed 2 100%' }).waitFor();
  await waitUntil(async () => (await page.locator(numberSelector).count()) === 0);
  expect(await readTableRows(page, 'Steps')).toEqual([
    ['question', 'confirm', '0', '2'],
    ['sms-code', 'confirm', '0', '1'],
    ['email-code', 'confirm', '0', '0'],
  ]);
});

it('the page shows the other versions, with their creators', async () => {
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  await page
    .getByRole('navigation', { name: 'Versions' })
    .getByRole('link', { name: /^Version 2/ })
    .click();
  await page.getByRole('heading', { name: 'Version 2 Not active' }).waitFor();
  const currentVersion = page.locator('[aria-current=true]');
  expect(await currentVersion.innerText()).toMatch(/Version 2[^]*by client-of-local/);
});

it('the page finds the flow runs of a transaction, and shows the path of a flow run in the diagram', async () => {
  const startedAt = '2026-03-02T10:20:00.000Z';
  const endedRun = buildRun(
    firstVersion,
    startedAt,
    [['question', 185, 'Failed', 'ProviderRefused 63016'], ['sms-code', 42, 'Valid'], ['confirmed']],
    confirmed,
  );
  const { id } = await saveRuns(world, [endedRun, buildRun(firstVersion, startedAt, [['question']])]);
  const page = await openFlowsPage();
  await page.getByLabel('Runs of a transaction').fill(` ${id} `);
  await page.keyboard.press('Enter');
  await waitForHeading(page, `Runs of ${id}`);
  expect(await page.locator('a.row .tag').allInnerTexts()).toEqual(['Running', 'Confirmed']);
  await page.locator('a.row').nth(1).getByText('question – Failed (ProviderRefused 63016)').waitFor();
  await page.locator('a.row').nth(1).click();
  await waitForHeading(page, 'Run of whatsapp-first');
  expect(await readTableRows(page, 'Path')).toEqual([
    ['question', '10:20:00', '3 min 5 s', 'Failed\nProviderRefused 63016'],
    ['sms-code', '10:23:05', '42 s', 'Valid'],
    ['confirmed', '10:23:47', '–', '–'],
  ]);
  await page.getByText('3 min 47 s').waitFor();
  await page.locator('.facts').getByText(endedRun.id, { exact: true }).waitFor();
  expect(await page.locator('.drawing .node.taken:not(.start)').count()).toBe(3);
  const lineWidth = `getComputedStyle(document.querySelector('.drawing .edge.taken path')).strokeWidth`;
  expect(await page.evaluate(lineWidth)).toBe('2.6px');
});

it('the page shows times in UTC in every time zone, with a label', async () => {
  const startedAt = '2026-03-02T23:30:00.000Z';
  const { id } = await saveRuns(world, [
    buildRun(
      firstVersion,
      startedAt,
      [['question', 185, 'Failed'], ['sms-code', 42, 'Valid'], ['confirmed']],
      confirmed,
    ),
  ]);
  testPage = await openFlows(browser, world, { hash: `#/transactions/${id}`, timezoneId: 'America/Sao_Paulo' });
  const { page } = testPage;
  await page.getByText('Times are UTC.').waitFor();
  await page.getByText('Started 2 Mar 2026, 23:30:00').waitFor();
  await page.locator('a.row').click();
  await waitForHeading(page, 'Run of whatsapp-first');
  await page.getByText('Times are UTC.').waitFor();
  expect((await readTableRows(page, 'Path')).map(([, entered]) => entered)).toEqual([
    '23:30:00',
    '23:33:05',
    '23:33:47',
  ]);
  await page.goto(`${world.api.address}/flows#/flows/whatsapp-first`);
  await page.getByText('Times are UTC.').waitFor();
  await page.getByText(/Live, as of \d\d:\d\d:\d\d UTC/).waitFor();
});

it('the page refreshes a flow run until it ends', async () => {
  const startedAt = now();
  const state = await saveRuns(world, [buildRun(firstVersion, startedAt, [['question']])]);
  const [run] = state.runs;
  if (!run) throw new Error('There is no run.');
  const page = await openFlowsPage(`#/transactions/${state.id}/${run.id}`, 'Run of whatsapp-first');
  await page.getByText('Live, as of').waitFor();
  expect(await page.locator('.drawing .current').count()).toBe(1);
  const endedRun = buildRun(firstVersion, startedAt, [['question', 1, 'No'], ['denied']], {
    status: 'Completed',
    outcome: 'Denied',
  });
  await saveRuns(world, [{ ...endedRun, id: run.id }], { id: state.id, version: 2 });
  await page.locator('.facts').getByText('Denied').waitFor();
  await page.getByText('Live, as of').waitFor({ state: 'hidden' });
  expect(await page.locator('.drawing .current').count()).toBe(0);
});

it('the page says which version or transaction does not exist, and the user can then open other views', async () => {
  const page = await openFlowsPage('#/flows/whatsapp-first/9', 'This flow has no such version');
  await page.getByRole('link', { name: 'All flows' }).click();
  await waitForHeading(page, 'Flows');
  await page.getByLabel('Runs of a transaction').fill('../../../flows');
  await page.getByRole('button', { name: 'Show runs' }).click();
  await waitForHeading(page, 'This transaction does not exist');
  const { id } = await saveRuns(world, []);
  await page.goto(`${world.api.address}/flows#/transactions/${id}`);
  await page.getByText('This transaction has no flow runs.').waitFor();
});

it.each([
  ['#/flows/nothing', 'This flow does not exist'],
  ['#/flows/whatsapp-first/9/entered/question', 'This flow has no such version'],
  ['#/flows/whatsapp-first/1/entered/nowhere', 'This page does not exist'],
  ['#/transactions/none/none', 'This transaction does not exist'],
])('the page explains what is missing at %s, and links back', async (hash, headingText) => {
  const page = await openFlowsPage(hash, headingText);
  expect(await page.locator('main').innerText()).not.toMatch(/GET|POST|\/v1|runId/);
  await page.getByRole('link', { name: 'All flows' }).click();
  await waitForHeading(page, 'Flows');
});

it('the page has its own text for an unknown flow run', async () => {
  const { id } = await saveRuns(world, []);
  const page = await openFlowsPage(`#/transactions/${id}/none`, 'This transaction has no such run');
  expect(await page.locator('main').innerText()).not.toContain('runId');
});

it('the page shows each version with its own title', async () => {
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  const readTitle = () => page.locator('.view > .line .title').innerText();
  expect(await readTitle()).toBe('WhatsApp, then SMS, e-mail last');
  await page.getByRole('link', { name: /^Version 2 The newer one/ }).click();
  await page.getByRole('heading', { name: 'Version 2 Not active' }).waitFor();
  expect(await readTitle()).toBe('The newer one');
});

it('a user can open the flow runs of a step or an outcome, and the path of a flow run, by keyboard', async () => {
  const visits = [['question', 1, 'Failed', 'NotReached'], ['sms-code', 2, 'Blocked'], ['blocked']] as const;
  const blockedRun = buildRun(firstVersion, now(), visits, {
    status: 'Completed',
    outcome: 'Blocked',
  });
  const { id } = await saveRuns(world, [blockedRun]);
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  await page.getByRole('link', { name: 'Runs at blocked' }).focus();
  await page.keyboard.press('Enter');
  await waitForView(page, 'Runs that entered blocked');
  const row = page.locator('a.row');
  expect(await row.count()).toBe(1);
  const rowText = await row.innerText();
  for (const part of [
    'question – Failed (NotReached) → sms-code – Blocked → blocked',
    id,
    blockedRun.id,
    'Blocked',
    'ended',
  ])
    expect(rowText).toContain(part);
  await row.focus();
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Run of whatsapp-first');
  await page.goto(`${world.api.address}/flows#/flows/whatsapp-first`);
  await waitForHeading(page, 'whatsapp-first');
  await page.getByRole('link', { name: 'Blocked', exact: true }).click();
  await waitForHeading(page, 'Runs that ended as Blocked');
  expect(await row.count()).toBe(1);
});

it('the page shows a deleted version while its flow runs continue, and lists these flow runs', async () => {
  const { version: _version, name: _name, ...definition } = whatsappFirstFlow;
  await world.put('left', definition);
  const run = buildRun(['left', 1], now(), [['question']]);
  await saveRuns(world, [run]);
  await world.deleteVersion('left', 1);
  const page = await openFlowsPage();
  await page.getByRole('link', { name: /left.*Deleted, 1 still running/ }).click();
  await page.getByRole('heading', { name: 'Version 1 Deleted, 1 still running' }).waitFor();
  expect(await page.locator('.drawing svg').count()).toBe(1);
  const linkText = await page.getByRole('link', { name: /^Version 1/ }).innerText();
  expect(linkText).toMatch(/Deleted \d+ \w+ \d{4}, \d\d:\d\d:\d\d by client-of-local/);
  await page.getByRole('link', { name: 'Still running', exact: true }).click();
  await waitForHeading(page, 'Runs that are still running');
  expect(await page.locator('a.row').innerText()).toContain(run.id);
});

it('the page counts the flow runs that ended today', async () => {
  const endedRun = buildRun(firstVersion, now(), [['question', 0, 'No'], ['denied']], {
    status: 'Completed',
    outcome: 'Denied',
  });
  await saveRuns(world, [endedRun]);
  const page = await openFlowsPage('#/flows/whatsapp-first', 'whatsapp-first');
  const rows = await readTableRows(page, 'Ended on each day (UTC)');
  const denied = rows.find(([outcome]) => outcome === 'Denied');
  expect(denied).toHaveLength(8);
  expect(Number(denied?.[1])).toBeGreaterThan(0);
});

it('the page shows HTML in a title as text, and shows no diagram with elements that are not allowed', async () => {
  const title = '<img src=x onerror=alert(1)>';
  const { version: _version, name: _name, ...definition } = whatsappFirstFlow;
  await world.put('hostile', { ...definition, title });
  const page = await openFlowsPage('#/flows/hostile', 'hostile');
  await page.getByText(title).first().waitFor();
  expect(await page.locator('main img, main script').count()).toBe(0);
  const hostileElements = [
    '<script>window.hit = 1</script>',
    '<a href="javascript:hit()"/>',
    '<rect onclick="hit()"/>',
    '<g style="x:y"/>',
  ];
  for (const part of [
    ...hostileElements,
    '<g xlink:href="#"/>',
    '<html:b xmlns:html="http://www.w3.org/1999/xhtml"/>',
  ]) {
    const body = `<svg xmlns="http://www.w3.org/2000/svg">${part}</svg>`;
    await page.route('**/diagram.svg*', (route) => route.fulfill({ contentType: 'image/svg+xml', body }));
    await page.reload();
    await page.getByText('The diagram cannot be shown.').waitFor();
    await page.unroute('**/diagram.svg*');
  }
  expect(await page.evaluate('window.hit')).toBeUndefined();
  // The browser logs the parts of hostile diagrams that the policy of the page blocks.
  const otherErrors = testPage?.consoleErrors.splice(0).filter((line) => !line.includes('Content Security Policy'));
  expect(otherErrors).toEqual([]);
});
