import type { Browser } from 'playwright-core';
import { whatsappFirstFlow } from '../../../flows/examples/whatsapp-first.flow';
import { buildRun, type Visit } from '../../api/flows/page/build-run';
import {
  localSettings,
  openFlows,
  saveRuns,
  type TestPage,
  waitForHeading,
} from '../../api/flows/page/flows-page-world';
import { FlowWorld } from '../../api/flows/flow-world';
import { openBrowser } from '../../support/browser';

let browser: Browser;
let world: FlowWorld;
let testPage: TestPage;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
  const { version: _version, name, ...definition } = whatsappFirstFlow;
  await world.put(name, definition);
  await world.put(name, { ...definition, title: 'The newer one' });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const build = (version: number, hours: number, visits: readonly Visit[], end?: Parameters<typeof buildRun>[3]) =>
    buildRun([name, version], hoursAgo(hours), visits, end);
  const completedAs = (outcome: string) => ({ status: 'Completed', outcome }) as const;
  await saveRuns(world, [
    build(1, 1, [['question', 9, 'Yes'], ['confirmed']], completedAs('Confirmed')),
    build(1, 2, [['question', 9, 'No'], ['denied']], completedAs('Denied')),
    build(1, 3, [['question']]),
    build(1, 4, [['question', 9, 'Canceled']], { status: 'Canceled' }),
    build(1, 30, [['question', 180, 'Expired'], ['sms-code', 5, 'Valid'], ['confirmed']], completedAs('Confirmed')),
    build(2, 1, [['question', 9, 'Yes'], ['confirmed']], completedAs('Confirmed')),
    build(1, 24 * 20, [['question', 9, 'Yes'], ['confirmed']], completedAs('Confirmed')),
  ]);
  testPage = await openFlows(browser, world, { hash: '#/flows/whatsapp-first/1' });
});
afterAll(async () => {
  expect(testPage.consoleErrors).toEqual([]);
  await browser.close();
  await world.close();
});

it('a user can filter the list of flow runs by status, outcome, step, time and version', async () => {
  const { page } = testPage;
  await page.getByRole('link', { name: 'All runs' }).click();
  await waitForHeading(page, 'Runs of whatsapp-first');
  const rows = page.locator('a.row');
  const choose = async (field: string, option: string, heading: string | RegExp, count: number) => {
    await page.getByLabel(field, { exact: true }).selectOption({ label: option });
    await waitForHeading(page, heading);
    await page.getByLabel(field, { exact: true }).and(page.locator('select')).waitFor();
    expect([option, await rows.count()]).toEqual([option, count]);
  };
  expect(await rows.count()).toBe(5);
  await choose('Runs', 'Status: Running', 'Runs that are still running', 1);
  await choose('Runs', 'Status: Completed', 'Runs that were completed', 3);
  await choose('Runs', 'Status: Canceled', 'Runs that were canceled', 1);
  await choose('Runs', 'Outcome: Confirmed', 'Runs that ended as Confirmed', 2);
  await choose('Runs', 'Entered the step sms-code', 'Runs that entered sms-code', 1);
  await choose('Runs', 'Now at the step question', 'Runs that are now at question', 1);
  await choose('Runs', 'All runs', 'Runs of whatsapp-first', 5);
  await page.getByLabel('Started in the last').selectOption({ label: '24 hours' });
  await page.getByText('All runs that started in the last 24 hours, newest first.').waitFor();
  expect(await rows.count()).toBe(4);
  await page.getByLabel('Started in the last').selectOption({ label: '30 days' });
  await page.getByText('in the last 30 days').waitFor();
  expect(await rows.count()).toBe(6);
  await page.getByLabel('Version', { exact: true }).selectOption({ label: 'Version 2' });
  await page.getByText('whatsapp-first version 2.').waitFor();
  expect(await rows.count()).toBe(1);
  // The address has all filters.
  await page.goto(`${world.api.address}/flows#/flows/whatsapp-first/1/outcome/Denied?days=1`);
  await waitForHeading(page, 'Runs that ended as Denied');
  expect(await page.getByLabel('Started in the last').inputValue()).toBe('1');
  expect(await rows.count()).toBe(1);
});
