import type { Page } from 'playwright-core';
import { buildPauseFlow, type FlowWorld } from '../../api/flows/flow-world';

/** The text of a flow that waits for `seconds`. */
export const pauseText = (seconds: number, changes: object = {}): string =>
  JSON.stringify({ ...buildPauseFlow(seconds), ...changes }, null, 2);

/** Replaces the text as if a person pasted the new text. */
export async function typeText(page: Page, text: string): Promise<void> {
  const content = page.locator('.cm-content');
  await content.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Reads only short texts: the page contains only the visible lines. */
export const readText = async (page: Page): Promise<string> =>
  (await page.locator('.cm-line').allTextContents()).join('\n');

export async function openEditor(page: Page, world: FlowWorld, name: string, version: number): Promise<void> {
  await page.goto(`${world.api.address}/flows#/flows/${name}/${version}/edit`);
  await page.locator('.cm-content').waitFor();
}

export const waitForValid = (page: Page) => page.getByText(/^Valid\. A run takes at most/).waitFor();

export const save = (page: Page, version: number) =>
  page.getByRole('button', { name: `Save as version ${version}` }).click();
