import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import { saveClient } from '../../api/clients/clients';
import type { CaptureKind } from '../../domain/biometrics/biometrics';
import { createLogger } from '../../platform/logger';
import { openPool } from '../../platform/postgres/postgres';
import { Album } from './screenshots/album';
import { writeCameraVideo } from './screenshots/camera-image';
import { withDevice } from './screenshots/devices';
import { addFlows, screenshotTransactionId } from './screenshots/sample-flows';
import { createPerson, submitImages, mariasPhone } from './screenshots/persons';
import { root } from './support/test-stack';
import { shareStack } from './support/share-stack';
import { openGuide } from '../support/guide';
import { waitUntil } from '../support/wait-until';

const getTestStack = shareStack(() => ({ env: { BRAND: 'Acme Bank' } }));
const album = new Album();
const videoFolder = mkdtempSync(path.join(tmpdir(), 'countersign-videos-'));
afterAll(() => rmSync(videoFolder, { recursive: true, force: true }));

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const waitForHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Options for a phone whose camera shows what this kind of capture needs: one side of a document, or a face. */
const cameraOptions = async (kind: CaptureKind) => ({
  camera: 'allowed' as const,
  videoFile: await writeCameraVideo(videoFolder, kind),
});

/** The camera is ready when its shutter button is enabled. */
async function openCamera(page: Page): Promise<void> {
  await press(page, 'Open the camera');
  await page.locator('button.shutter:enabled').waitFor();
}

async function takePicture(page: Page): Promise<void> {
  await press(page, 'Take the picture');
  await waitForHeading(page, 'Is the picture good?');
}

/** Sends the picture in chunks. Holds back the second chunk, takes a screenshot, and then sends the second chunk. */
async function sendSlowly(page: Page, screenshotName: string): Promise<void> {
  const chunks = /\/captures\/\w+\/[\w-]+$/;
  let heldRoute: Route | undefined;
  let count = 0;
  await page.route(chunks, (route) => {
    count += 1;
    if (count !== 2) return route.continue();
    heldRoute = route;
    return undefined;
  });
  await press(page, 'Use it');
  await waitUntil(() => heldRoute);
  await album.take(page, screenshotName);
  await heldRoute?.continue();
  await page.unroute(chunks);
}

/** Creates a client like `npm run client -- add`, but with the same id in every run. */
async function addReviewer(): Promise<{ clientId: string; clientSecret: string }> {
  const reviewer = { clientId: 'cs_4f8a1c6e0b7d29358e61ac04', clientSecret: randomBytes(32).toString('base64url') };
  const pool = openPool(getTestStack().stack.addresses.postgres, createLogger('screenshots', 'error'), 1);
  await saveClient(pool, { tenant: 'local', scopes: ['biometrics:review'], ...reviewer });
  await pool.end();
  return reviewer;
}

// `npm run screenshots` runs this file. Each block of the test needs the result of the block before it.
it('the screenshots of the guide about biometrics are taken', async () => {
  const maria = await createPerson(getTestStack(), 'en');
  const link = await maria.createLink({ channels: ['sms'] });

  // Waits for the message, because a message that arrives after the page has loaded keeps its real link, which is different each time.
  // In a message that the page loads, the link is replaced (see `stabilizeResponses`).
  await waitUntil(async () => (await getTestStack().inbox.waitForNewest(mariasPhone, 'sms')).status === 'delivered');
  await withDevice('telephone', {}, async ({ page }) => {
    await page.goto(`${getTestStack().inbox.address}/#/${encodeURIComponent(mariasPhone)}`);
    await page.getByText('confirm your identity').last().waitFor();
    await album.take(page, 'message');
  });

  const cookiesAfterFront = await withDevice(
    'telephone',
    await cameraOptions('documentFront'),
    async ({ page, cookies }) => {
      await page.goto(link);
      await page.getByRole('checkbox').check();
      await album.take(page, 'consent');
      await press(page, 'Agree and continue');
      await waitForHeading(page, 'Front of your document');
      await album.take(page, 'front');
      await openCamera(page);
      await album.take(page, 'front-camera');
      await takePicture(page);
      await album.take(page, 'front-review');
      await sendSlowly(page, 'sending');
      await waitForHeading(page, 'Back of your document');
      return cookies();
    },
  );

  const backOptions = { ...(await cameraOptions('documentBack')), storageState: cookiesAfterFront };
  const cookiesAfterBack = await withDevice('telephone', backOptions, async ({ page, cookies }) => {
    await page.goto(link);
    await waitForHeading(page, 'Back of your document');
    await album.take(page, 'back');
    await openCamera(page);
    await album.take(page, 'back-camera');
    await takePicture(page);
    await press(page, 'Use it');
    await waitForHeading(page, 'A picture of your face');
    return cookies();
  });

  const faceOptions = { ...(await cameraOptions('selfie')), storageState: cookiesAfterBack };
  await withDevice('telephone', faceOptions, async ({ page }) => {
    await page.goto(link);
    await waitForHeading(page, 'A picture of your face');
    await album.take(page, 'selfie');
    await openCamera(page);
    await album.take(page, 'selfie-camera');
    await takePicture(page);
    await press(page, 'Use it');
    await waitForHeading(page, /All done/);
    await album.take(page, 'done');
  });

  const otherPerson = await createPerson(getTestStack(), 'en');
  const [olderLink, newerLink] = [await otherPerson.createLink(), await otherPerson.createLink()];
  await withDevice('telephone', {}, async ({ page }) => {
    await page.goto(olderLink);
    await waitForHeading(page, 'There is a newer link');
    await album.take(page, 'closed');
  });
  await withDevice('desktop', {}, async ({ page }) => {
    await page.goto(newerLink);
    await waitForHeading(page, 'Continue on your phone');
    await page.locator('figure.qr img').waitFor();
    await album.take(page, 'desktop');
  });

  await submitImages(await createPerson(getTestStack(), 'pt-BR'), {
    documentFront: { blur: 16 },
    selfie: { brightness: 0.26 },
  });
  await submitImages(await createPerson(getTestStack(), 'es'));
  const { clientId, clientSecret } = await addReviewer();
  await withDevice('desktop', {}, async ({ page }) => {
    await page.goto(`${getTestStack().stack.addresses.api}/reviews`);
    await page.getByLabel('Client id').fill(clientId);
    await page.getByLabel('Client secret').fill(clientSecret);
    await press(page, 'Sign in');
    await waitForHeading(page, 'Reviews');
    await album.take(page, 'reviews');
    await page.locator('a.row').first().click();
    await waitForHeading(page, /Review of/);
    await waitUntil(async () => (await page.locator('.stage img').count()) === 3);
    await album.take(page, 'review');
    await page.getByText('Approve', { exact: true }).first().click();
    await press(page, 'Same person, and the document agrees with the data.');
    await album.take(page, 'decision');
  });

  console.log(album.save(path.join(root, 'docs', 'images', 'biometrics')).join('\n'));
}, 300_000);

it('the screenshots of the guide about flows are taken', async () => {
  const flowAlbum = new Album();
  await addFlows(getTestStack());
  const address = `${getTestStack().stack.addresses.api}/flows`;
  await withDevice('desktop', {}, async ({ page }) => {
    await page.goto(address);
    await waitForHeading(page, 'Flows');
    await flowAlbum.take(page, 'list');
    await page.getByRole('link', { name: /whatsapp-first/ }).click();
    await waitForHeading(page, 'whatsapp-first');
    await page.locator('.drawing text[font-size="11.00"]').first().waitFor();
    await flowAlbum.take(page, 'counts');
    await page.goto(`${address}#/transactions/${screenshotTransactionId}`);
    await page.getByRole('link', { name: /whatsapp-first/ }).click();
    await waitForHeading(page, 'Run of whatsapp-first');
    await page.locator('.taken').first().waitFor();
    await flowAlbum.take(page, 'path');
  });
  console.log(flowAlbum.save(path.join(root, 'docs', 'images', 'flows')).join('\n'));
});

it('the screenshots of the flow editor are taken, from a new flow to a rollback', async () => {
  const editorAlbum = new Album();
  const name = 'sign-up';
  const text = openGuide('flows.md').codeBlock('sample');
  await withDevice('desktop', {}, async ({ page }) => {
    const scrollTo = (selector: string) =>
      page.evaluate(`document.querySelector("${selector}").scrollIntoView({ behavior: 'instant' })`);
    const type = async (newText: string) => {
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(newText);
    };
    await page.goto(`${getTestStack().stack.addresses.api}/flows`);
    await page.getByRole('link', { name: 'New flow' }).click();
    await page.locator('.cm-content').waitFor();
    await page.getByLabel('Name of the flow').fill(name);
    await type(text);
    await page.getByText(/^Valid\./).waitFor();
    // Opens the suggestions at the end of the eighth line.
    for (const key of ['Control+Home', ...Array<string>(7).fill('ArrowDown'), 'End', 'Control+Space'])
      await page.keyboard.press(key);
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await scrollTo('h1');
    await editorAlbum.take(page, 'write');

    await type(text.replace('"Blocked": "denied"', '"Blocked": "deny"'));
    await page.getByText('1 issue', { exact: true }).waitFor();
    await page.locator('.issues button').click();
    await editorAlbum.take(page, 'check');

    await type(text);
    await page.getByText(/^Valid\./).waitFor();
    await scrollTo('#steps');
    await editorAlbum.take(page, 'texts');

    await page.getByLabel('What the person does').fill('ignores whatsapp; after 30s enters the code by sms');
    await press(page, 'Simulate');
    await page.getByText(/^Ended as Confirmed/).waitFor({ timeout: 90_000 });
    await scrollTo('.simulated');
    await editorAlbum.take(page, 'simulate');

    await press(page, 'Save as version 1');
    await page.getByRole('main').getByText('Saved as version 1.').waitFor();
    await scrollTo('.alert');
    await editorAlbum.take(page, 'saved');
    await press(page, 'Activate');
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('main').getByText('Version 1 is active.').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.locator('.cm-content').waitFor();
    await type(text.replace('"expiresAfterSeconds": 120', '"expiresAfterSeconds": 180'));
    await page.getByText(/^Valid\./).waitFor();
    await press(page, 'Save as version 2');
    await page.getByRole('main').getByText('Saved as version 2.').waitFor();
    await press(page, 'Activate');
    await page.locator('.diff').waitFor();
    await editorAlbum.take(page, 'activate');
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('main').getByText('Version 2 is active.').waitFor();
    await press(page, 'Roll back');
    await page.locator('.diff').waitFor();
    await editorAlbum.take(page, 'roll-back');
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('main').getByText('Rolled back. Version 1 is active').waitFor();
  });
  console.log(editorAlbum.save(path.join(root, 'docs', 'images', 'flow-editor')).join('\n'));
}, 240_000);
