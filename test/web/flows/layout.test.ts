import type { Browser } from 'playwright-core';
import { stepUpFlow } from '../../../flows/examples/step-up.flow';
import { openBrowser } from '../../support/browser';
import { waitUntil } from '../../support/wait-until';
import { FlowWorld } from '../../api/flows/flow-world';
import { buildRun } from '../../api/flows/page/build-run';
import { waitForHeading, saveRuns, openFlows, localSettings } from '../../api/flows/page/flows-page-world';

let browser: Browser;
let world: FlowWorld;
beforeAll(async () => {
  browser = await openBrowser();
  world = await FlowWorld.open(localSettings);
  const { version: _version, name, ...definition } = stepUpFlow;
  await world.put(name, definition);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** Counts links, buttons and fields without a name for screen readers. */
const countControlsWithoutName = `[...document.querySelectorAll('a, button, input, select, textarea, [tabindex="0"]')].filter((element) =>
  !(element.innerText?.trim() || element.labels?.length || element.getAttribute('aria-label'))).length`;
/** Whether the name, the start and every outcome of the diagram are inside its frame. */
const isFullyVisible = `(() => {
  const frame = document.querySelector('.drawing').getBoundingClientRect();
  const parts = [...document.querySelectorAll('.drawing .start, .drawing .flow-drawing > text, .drawing .outcome')];
  return parts.length > 4 && parts.every((part) => {
    const { x, right, y, bottom } = part.getBoundingClientRect();
    return x >= frame.x && right <= frame.right && y >= frame.y && bottom <= frame.bottom;
  });
})()`;

describe.each(['light', 'dark'] as const)('the page in %s mode', (colorScheme) => {
  it.each([
    [1_280, 800],
    [768, 1_024],
    [390, 844],
    [320, 568],
  ])('fits %i by %i pixels', async (width, height) => {
    const run = buildRun(['step-up', 1], new Date().toISOString(), [['risk', 1, 'else', 'x'.repeat(80)], ['tell']]);
    const { id } = await saveRuns(world, [run]);
    const { page, consoleErrors, close } = await openFlows(browser, world, {
      viewport: { width, height },
      colorScheme,
    });
    const openAndCheck = async (hash: string, headingText: string | RegExp) => {
      await page.goto(`${world.api.address}/flows${hash}`);
      await waitForHeading(page, headingText);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate(countControlsWithoutName)).toBe(0);
    };
    await openAndCheck('#/', 'Flows');
    await openAndCheck('#/flows/step-up', 'step-up');
    await waitUntil(() => page.evaluate<boolean>(isFullyVisible));
    const sizeButton = page.getByRole('button', { name: 'Larger' });
    expect(await sizeButton.isVisible()).toBe(width < 640);
    if (width < 640) {
      await sizeButton.click();
      expect(await page.evaluate(`document.querySelector('.drawing').scrollLeft > 0`)).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.getByRole('button', { name: 'Whole diagram' }).click();
      await waitUntil(() => page.evaluate<boolean>(isFullyVisible));
    }
    await openAndCheck('#/flows/step-up/1/entered/risk', /^Runs that/);
    await openAndCheck(`#/transactions/${id}`, /^Runs of/);
    await openAndCheck(`#/transactions/${id}/${run.id}`, /^Run of/);
    await waitUntil(() => page.evaluate<boolean>(isFullyVisible));
    expect(consoleErrors).toEqual([]);
    await close();
  });
});

it('the page loads nothing from other hosts, and allows only the inline style of diagrams', async () => {
  const { headers, body } = await world.api.request('/flows', { token: null });
  expect(headers.get('content-security-policy')?.split('; ').toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "script-src 'self'",
    expect.stringMatching(/^style-src 'self' 'sha256-[\w+/]{43}='$/),
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toContain('Loja &lt;b>&amp;');
  const files = [...String(body).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => String(address));
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const response = await world.api.request(file, { token: null });
    expect([file, response.status, response.headers.get('cache-control')]).toEqual([
      file,
      200,
      expect.stringMatching(/immutable/),
    ]);
  }
});
