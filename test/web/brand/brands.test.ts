import type { Browser, BrowserContext } from 'playwright-core';
import { contrast } from '../../../domain/brand/colors';
import { BiometricsWorld } from '../../api/biometrics/biometrics-world';
import { openBrowser } from '../../support/browser';
import { plainImage } from '../../images/test-images';
import { openSignedIn } from '../app-views';
import { findInViews } from '../page-checks';
import { brandedViews, checkView, sampleBrands, saveBrand } from './branded-views';

let browser: Browser;
let world: BiometricsWorld;
let context: BrowserContext;
beforeAll(async () => {
  browser = await openBrowser();
  world = await BiometricsWorld.open();
  for (const brand of sampleBrands) await saveBrand(world, brand);
});
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'en-US' });
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await world.close();
});

// `npm run screenshots` opens each view in all languages.
test.each(Object.keys(brandedViews))(
  'the view %s is accessible in each brand, in light and in dark mode',
  async (view) => {
    const page = await context.newPage();
    const found: string[] = [];
    for (const { tenant } of sampleBrands)
      for (const scheme of ['light', 'dark'] as const)
        found.push(...(await checkView(view, { world, page, tenant, language: 'pt-BR' }, scheme)));
    expect(found).toEqual([]);
  },
);

test('a page has the name, the color, the logo and the help of its tenant, and those of no other', async () => {
  const page = await context.newPage();
  const lookOf = async (tenant: string) => {
    await checkView('code', { world, page, tenant, language: 'en' }, 'light');
    return {
      header: await page.innerText('header'),
      button: await page.evaluate<string>(`getComputedStyle(document.querySelector('.button-main')).backgroundColor`),
      logo: await page.getAttribute('header img', 'src'),
      help: await page.locator('footer a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    };
  };
  expect(await lookOf('harbor')).toEqual({
    header: 'Harbor',
    button: 'rgb(0, 32, 91)',
    logo: expect.stringMatching(/^\/brands\/[\w-]{36}\/logo\?v=[\da-f]{12}$/),
    help: ['https://harbor.example/help'],
  });
  expect(await lookOf('plain')).toEqual({
    header: 'Plain',
    button: 'rgb(21, 94, 75)',
    logo: expect.stringMatching(/^\/assets\//),
    help: [],
  });
});

test('the page of the brand shows issues at their fields, a preview, and saves', async () => {
  const page = await context.newPage();
  const tenantPage = { api: world.api } as BiometricsWorld;
  await openSignedIn(page, tenantPage, '/brand');
  await page.getByLabel('Name', { exact: true }).fill('Acme');
  await page.getByText('Acme: your code is').or(page.getByText('Acme: use 481516')).first().waitFor();
  await page.getByLabel('Color of links and buttons').fill('#ffd400');
  await page.getByText('to the light page, and needs 4.5 : 1').waitFor();
  expect(await page.getByLabel('Color of links and buttons').getAttribute('aria-invalid')).toBe('true');
  const suggested = /#[\da-f]{6}$/.exec(await page.locator('.field-error').innerText())?.[0] ?? '';
  await page.getByLabel('Color of links and buttons').fill(suggested);
  await page.locator('.field-error').waitFor({ state: 'detached' });
  await page.getByLabel('Domain of the code page').fill('login.acme.example');
  await page.getByText('@login.acme.example #481516').first().waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The brand is saved.').first().waitFor();
  // A rejected logo keeps the saved brand, and can be corrected.
  const logo = page.getByLabel('Logo');
  await page.getByLabel('Name', { exact: true }).fill('Acme Two');
  await logo.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('not SVG').waitFor();
  const buffer = await plainImage(60, 20, '#ff8800').png().toBuffer();
  await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('.sample-head img[src^="/brands/"]').first().waitFor();
  await page.setViewportSize({ width: 1_280, height: 1_000 });
  expect(await findInViews(page, 'the page of the brand')).toEqual([]);
  const { body } = await world.api.request('/v1/brand');
  expect(body).toMatchObject({
    name: 'Acme Two',
    colors: { main: suggested },
    smsAutofill: { domain: 'login.acme.example' },
    logo: { width: 60, height: 20 },
  });
  expect(contrast(suggested, '#ffffff')).toBeGreaterThan(4.5);
});
