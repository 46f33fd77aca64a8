import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import type { GetTestStack } from '../support/test-stack';
import {
  createLink,
  readDecisionFromHistory,
  expectAbsentFromLogs,
  readLinkStatus,
  openTelephone,
  press,
  completePage,
} from '../support/biometrics-link';
import { waitUntil } from '../../support/wait-until';

interface Secrets {
  clients: { tenant: string; clientId: string; clientSecret: string }[];
}

/** Biometrics from the link to the decision, with a person, a reviewer and a caller. */
export function describeBiometrics(getTestStack: GetTestStack): void {
  describe('biometrics', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser({ program: 'chromium', camera: 'allowed' });
    });
    afterAll(() => browser.close());

    /** `choice`: the label of the decision on the page, such as `Approve`. */
    const review = async (linkId: string, choice: string, reason: string) => {
      const { api, stack } = getTestStack();
      const secrets = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Secrets;
      const client = secrets.clients.find(({ tenant }) => tenant === 'local');
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${api.address}/reviews#/reviews/${linkId}`);
      await page.getByLabel('Client id').fill(client?.clientId ?? '');
      await page.getByLabel('Client secret').fill(client?.clientSecret ?? '');
      await press(page, 'Sign in');
      await page.getByRole('heading', { level: 1, name: /^Review of/ }).waitFor();
      const countLoadedImages = () =>
        page.evaluate('[...document.images].filter((image) => image.naturalWidth > 300).length');
      await waitUntil(async () => (await countLoadedImages()) === 3);
      await page.getByRole('radio', { name: choice }).check();
      await page.getByLabel('Reason', { exact: true }).fill(reason);
      await page.getByRole('button', { name: choice, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: /^Review of/ }).waitFor({ state: 'detached' });
      await context.close();
    };

    it('a biometrics link leads to the decision of a reviewer, and image URLs expire', async () => {
      const { api } = getTestStack();
      const { path, link } = await createLink(getTestStack, { name: 'Maria da Silva', birthdate: '1990-01-01' });
      const statuses = [await readLinkStatus(getTestStack, path)];
      const page = await openTelephone(browser);
      await page.goto(link.url);
      await page.getByRole('checkbox').waitFor();
      statuses.push(await readLinkStatus(getTestStack, path));
      // No image is readable before its capture.
      expect((await api.get(`${path}/biometrics/document`)).status).toBe(404);

      const secondPage = await openTelephone(browser);
      await secondPage.goto(link.url);
      await secondPage.locator('main[data-screen=closed]').waitFor();
      expect((await secondPage.goto(link.url))?.status()).toBe(403);

      await completePage(page);
      statuses.push(await readLinkStatus(getTestStack, path));
      expect((await secondPage.goto(link.url))?.status()).toBe(410);
      await secondPage.context().close();

      const reviews = (await api.get('/v1/reviews?limit=100')).body as {
        reviews: { id: string; findings: object[] }[];
      };
      expect(reviews.reviews.map(({ id }) => id)).toContain(link.id);
      await review(link.id, 'Approve', 'The face is that of the document.');
      statuses.push(await readLinkStatus(getTestStack, path));
      expect(await readDecisionFromHistory(getTestStack, path)).toMatchObject({ by: 'local', status: 'Approved' });
      expect(statuses).toEqual(['Waiting', 'InProgress', 'Processing', 'Approved']);
      expect((await api.getAll(path)).scores.at(-1)?.reason).toBe('BiometricsChecked');

      const documentAddresses = (await api.get(`${path}/biometrics/document`)).body as Record<string, string>;
      const selfieAddress = (await api.get(`${path}/biometrics/selfie`)).body as Record<string, string>;
      const addresses = [
        documentAddresses['documentFrontUrl'],
        documentAddresses['documentBackUrl'],
        selfieAddress['selfieUrl'],
      ].map(String);
      for (const address of addresses) {
        expectAbsentFromLogs(address);
        const image = await fetch(address);
        expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
        const bytes = Buffer.from(await image.arrayBuffer());
        expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      }
      await pause(Date.parse(String(selfieAddress['expirationDateUtc'])) - Date.now() + 50);
      for (const address of addresses) expect((await fetch(address)).status).toBe(410);
      await page.context().close();
    });

    it('one request erases all images of a transaction, and the audit log records the erasure', async () => {
      const { api, stack } = getTestStack();
      const imagesFolder = join(stack.dataDir, 'images');
      const countFiles = () =>
        readdirSync(imagesFolder, { recursive: true, withFileTypes: true }).filter(
          // The erasure log is in the same store.
          (entry) => entry.isFile() && !entry.parentPath.includes('erasures'),
        ).length;
      const { path, link } = await createLink(getTestStack);
      const page = await openTelephone(browser);
      await page.goto(link.url);
      await completePage(page);
      const filesBefore = countFiles();
      const { selfieUrl = '' } = (await api.get(`${path}/biometrics/selfie`)).body as { selfieUrl?: string };
      expect((await api.request('DELETE', `${path}/biometrics/images`)).status).toBe(200);
      expect(countFiles()).toBe(filesBefore - 3);
      expect(await readLinkStatus(getTestStack, path)).toBe('Canceled');
      expect((await fetch(selfieUrl)).status).toBe(410);
      const auditEntries = (await api.get(`${path}/biometrics/audit`)).body as {
        action: string;
        actor: string;
        detail: object;
      }[];
      expect(auditEntries[0]).toMatchObject({ action: 'images_erased', actor: 'local', detail: { count: 3 } });
      await page.context().close();
    });
  });
}
