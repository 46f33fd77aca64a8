import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { saveState } from '../../../../store/transactions/transactions.sql';
import { uuidV7 } from '../../../../api/transactions/proposed-ids';
import type { FlowRun } from '../../../../domain/flows/run';
import type { TransactionState } from '../../../../domain/transactions/state';
import { buildState } from '../../../support/build';
import { stepUpFlow } from '../../../../flows/examples/step-up.flow';
import { FlowWorld } from '../flow-world';
import { testTransactionKeys } from '../../../support/test-data-converter';

/** Settings as with `npm start`, so the page needs no sign-in. The page must escape the HTML characters of the brand. */
export const localSettings = { PUBLIC_URL: 'http://127.0.0.1:3000', BRAND: 'Loja <b>&' };

/** Saves a transaction with flow runs, and makes it visible to the API. */
export async function saveRuns(
  world: FlowWorld,
  runs: FlowRun[],
  changes: Partial<Pick<TransactionState, 'tenant' | 'version' | 'id'>> = {},
): Promise<TransactionState & { runs: FlowRun[] }> {
  const state = { ...buildState(), id: uuidV7(), ...changes, runs };
  await saveState(world.api.dependencies.pool, testTransactionKeys, state, state.version - 1);
  world.api.transactions.states.set(`${state.tenant}/${state.id}`, state);
  return state;
}

/** The flow of `openWorldWithStepUp`. */
export const stepUpNameAndVersion = ['step-up', 1] as const;

/** The API with version 1 of the flow step-up. */
export async function openWorldWithStepUp(): Promise<FlowWorld> {
  const world = await FlowWorld.open();
  const { version: _version, name, ...definition } = stepUpFlow;
  await world.put(name, definition);
  return world;
}

/** `hosts`: where the page sent requests. */
export interface TestPage {
  page: Page;
  consoleErrors: string[];
  hosts: Set<string>;
  close: () => Promise<void>;
}

/** Opens the flows page in a new browser context. Error responses do not count as console errors. */
export async function openFlows(
  browser: Browser,
  { api }: FlowWorld,
  { hash = '', ...options }: BrowserContextOptions & { hash?: string } = {},
): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    timezoneId: 'UTC',
    locale: 'en-US',
    ...options,
  });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) consoleErrors.push(line.text());
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${api.address}/flows${hash}`);
  return { page, consoleErrors, hosts, close: () => context.close() };
}

export const waitForHeading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

export async function readTableRows(page: Page, caption: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name: caption }).locator('tbody tr').allInnerTexts();
  return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
}
