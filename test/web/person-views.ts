import type { Page } from 'playwright-core';
import { hostedPagePath, type LinkPurpose } from '../../messages/links';
import { person } from '../api/api-world';
import type { BiometricsWorld } from '../api/biometrics/biometrics-world';
import { chosenFiles } from '../api/biometrics/page/chosen-files';

const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** Pages may send persons back to the site of the caller, and the site may show pages in frames. */
function allowShop({ api }: BiometricsWorld): void {
  const lists = { returnUrls: ['https://shop.example/'], origins: ['https://shop.example'] };
  api.addressesByClient.set('client-of-local', lists);
}

const inEnglish = { ...person, genericFields: { locale: 'en' } };
const returnUrl = 'https://shop.example/done';

/** Sends an e-mail, and opens the hosted page of its link. */
async function openMailPage(
  page: Page,
  world: BiometricsWorld,
  endpoint: 'emails/tokens' | 'emails/2fa',
  purpose: LinkPurpose = 'answer',
): Promise<void> {
  const { api } = world;
  allowShop(world);
  const { id, path } = await api.createTransaction(inEnglish);
  await api.post(`${path}/${endpoint}`, { headers: { 'X-Countersign-Return-Url': returnUrl } });
  const confirmationId = api.transactions.confirmationIds.at(-1) ?? '';
  const target = { tenant: 'local', transactionId: id, confirmationId, purpose };
  await page.goto(`${api.address}${hostedPagePath(api.dependencies.keys, target)}`);
}

/** Opens the hosted page on which the person enters a code from an SMS. */
async function openCodePage(page: Page, world: BiometricsWorld): Promise<void> {
  const { api } = world;
  allowShop(world);
  const { path } = await api.createTransaction(inEnglish);
  await api.post(`${path}/sms/tokens`);
  const { body } = await api.post(`${path}/sms/tokens/link`, { body: { returnUrl } });
  await page.goto(`${api.address}${new URL((body as { url: string }).url).pathname}`);
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** Opens a biometrics link in a browser without a camera. */
async function openLink(page: Page, world: BiometricsWorld): Promise<void> {
  allowShop(world);
  const { path } = await world.api.createTransaction(inEnglish);
  const { browser } = await world.createLink(path, { returnUrl });
  await page.goto(browser.address);
  await waitForHeading(page, 'Continue on your phone');
}

/** Chooses files in place of the camera, and consents. */
async function consent(page: Page, world: BiometricsWorld): Promise<void> {
  await openLink(page, world);
  await page.getByRole('button', { name: 'Continue here with files' }).click();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Agree and continue' }).click();
}

/** Chooses the first image, after the consent. */
const fileChosen = async (page: Page, world: BiometricsWorld, file: keyof typeof chosenFiles) => {
  await consent(page, world);
  await page.locator('#file').setInputFiles(chosenFiles[file]);
};

interface PersonView {
  name: string;
  open: (page: Page, world: BiometricsWorld) => Promise<void>;
}

/**
 * Pages for persons. The site of a caller may show these pages in frames, so each page that has a script for frames also runs this script.
 */
export const personViews: readonly PersonView[] = [
  {
    name: 'hosted: the question of an e-mail token',
    open: async (page, world) => {
      await openMailPage(page, world, 'emails/tokens');
      await waitForHeading(page, 'Did you request a code from Countersign for this e-mail address?');
    },
  },
  {
    name: 'hosted: the denial',
    open: async (page, world) => {
      await openMailPage(page, world, 'emails/tokens', 'deny');
      await waitForHeading(page, 'Did somebody else request this code from Countersign?');
    },
  },
  {
    name: 'hosted: the question of a second factor',
    open: async (page, world) => {
      await openMailPage(page, world, 'emails/2fa');
      await page.getByRole('button', { name: 'YES' }).waitFor();
    },
  },
  {
    name: 'hosted: the result with a button back',
    open: async (page, world) => {
      await openMailPage(page, world, 'emails/tokens');
      await page.getByRole('button', { name: 'Yes, it was me' }).click();
      await page.getByRole('link', { name: 'Back to shop.example' }).waitFor();
    },
  },
  {
    name: 'hosted: an unknown link',
    open: async (page, { api }) => void (await page.goto(`${api.address}/confirm/x`)),
  },
  {
    name: 'frame: the field for a code, after a wrong code',
    open: async (page, world) => {
      await openCodePage(page, world);
      await enterCode(page, '1');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'biometrics: the offer to continue on a phone',
    open: openLink,
  },
  {
    name: 'biometrics: the consent without a tick',
    open: async (page, world) => {
      await openLink(page, world);
      await page.getByRole('button', { name: 'Continue here with files' }).click();
      await page.getByRole('button', { name: 'Agree and continue' }).click();
      await page.getByText('Please tick the box first').first().waitFor();
    },
  },
  {
    name: 'biometrics: before the picture of the front',
    open: async (page, world) => {
      await consent(page, world);
      await waitForHeading(page, 'Front of your document');
    },
  },
  {
    name: 'biometrics: a dark picture',
    open: async (page, world) => {
      await fileChosen(page, world, 'dark');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'biometrics: the last screen with a button back',
    open: async (page, world) => {
      await fileChosen(page, world, 'good');
      for (const heading of ['Back of your document', 'A picture of your face']) {
        await page.getByRole('button', { name: 'Use it' }).click();
        await waitForHeading(page, heading);
        await page.locator('#file').setInputFiles(chosenFiles.good);
      }
      await page.getByRole('button', { name: 'Use it' }).click();
      await page.getByRole('button', { name: 'Stay on this page' }).click();
    },
  },
  {
    name: 'biometrics: a link that was replaced by a newer link',
    open: async (page, world) => {
      allowShop(world);
      const { path } = await world.api.createTransaction(inEnglish);
      const { browser } = await world.createLink(path, { returnUrl });
      await world.createLink(path);
      await page.goto(browser.address);
      await page.getByRole('link', { name: 'Back to shop.example' }).waitFor();
    },
  },
];
