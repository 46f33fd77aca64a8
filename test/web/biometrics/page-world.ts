import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { FakeLink } from './fake-link';

/** An open page, with the errors in its console and the hosts to which it sent requests. */
export interface TestPage {
  page: Page;
  consoleErrors: string[];
  hosts: Set<string>;
  close(): Promise<void>;
}

/** Opens the page as on a phone, without earlier cookies. Error responses of the API do not count as console errors. */
export async function openPage(
  browser: Browser,
  link: FakeLink,
  options: BrowserContextOptions = {},
): Promise<TestPage> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, ...options });
  const page = await context.newPage();
  const consoleErrors: string[] = [];
  const hosts = new Set<string>();
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource')) consoleErrors.push(line.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('blob:')) hosts.add(new URL(request.url()).host);
  });
  await page.goto(link.url);
  return { page, consoleErrors, hosts, close: () => context.close() };
}

export const waitForHeading = (page: Page | Frame, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

export const pressButton = (page: Page | Frame, name: string | RegExp) => page.getByRole('button', { name }).click();

export async function giveConsent(page: Page | Frame): Promise<void> {
  await page.getByRole('checkbox').check();
  await pressButton(page, 'Agree and continue');
}

/** Takes an image, from the screen with this heading until the person has pressed `Use it`. */
export async function captureImage(page: Page | Frame, heading: string): Promise<void> {
  await waitForHeading(page, heading);
  await pressButton(page, 'Open the camera');
  await pressButton(page, 'Take the picture');
  await pressButton(page, 'Use it');
}
