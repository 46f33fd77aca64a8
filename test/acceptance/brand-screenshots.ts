import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { languages } from '../../domain/transactions/input';
import { BiometricsWorld } from '../api/biometrics/biometrics-world';
import { openBrowser } from '../support/browser';
import { brandedViews, checkView, sampleBrands, saveBrand } from '../web/brand/branded-views';

/** Where the screenshots are. They are for a look at them, and no guide shows them. */
const folder = path.join(tmpdir(), 'countersign-brands');

// `npm run screenshots` runs this file.
it('each view is accessible in three brands, three languages, and in light and dark mode', async () => {
  mkdirSync(folder, { recursive: true });
  const [browser, world] = [await openBrowser(), await BiometricsWorld.open()];
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  const found: string[] = [];
  for (const brand of sampleBrands) await saveBrand(world, brand);
  for (const view of Object.keys(brandedViews))
    for (const { tenant } of sampleBrands)
      for (const language of languages)
        for (const scheme of ['light', 'dark'] as const) {
          found.push(...(await checkView(view, { world, page, tenant, language }, scheme)));
          const file = path.join(folder, `${view}-${tenant}-${language}-${scheme}.png`);
          await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
        }
  console.log(`The screenshots are in ${folder}.`);
  await browser.close();
  await world.close();
  expect(found).toEqual([]);
}, 900_000);
