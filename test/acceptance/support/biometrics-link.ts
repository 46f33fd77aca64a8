import { Client, Connection } from '@temporalio/client';
import type { Browser, Page } from 'playwright-core';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { noiseImage } from '../../images/test-images';
import { openStackConverter } from '../../support/stack-keys';
import type { GetTestStack } from './test-stack';
import { newPerson } from './new-person';

/** The setting BIOMETRICS_SETTINGS. For the tenant `other`, the face verifier may approve images. */
export const biometricsSettings = {
  default: { imageUrlSeconds: 6 },
  other: { facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } },
};

/** The secret parts of addresses of links and images. No log may contain them. */
export const issuedSecrets: string[] = [];

/** Adds the secret in the last part of an address to `issuedSecrets`. */
export const expectAbsentFromLogs = (address: string): void =>
  void issuedSecrets.push(address.split(/[/.]/).at(-1) ?? address);

/** The fields of POST …/biometrics that tests read. */
export interface Link {
  id: string;
  url: string;
  mfaStatus?: Record<string, string>;
}

/** Creates a transaction for a new person, and a biometrics link. */
export async function createLink(getTestStack: GetTestStack, body: object = {}) {
  const { api } = getTestStack();
  const person = newPerson();
  const path = await api.createTransaction(person.body);
  const { status, body: link } = await api.post(`${path}/biometrics`, { body });
  expect(status).toBe(201);
  expectAbsentFromLogs((link as Link).url);
  return { path, link: link as Link, ...person };
}

export const readLinkStatus = async (getTestStack: GetTestStack, path: string) =>
  (await getTestStack().api.getAll(path)).biometrics?.status;

/** A window like that of a phone, with its own cookies. */
export async function openTelephone(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, locale: 'pt-BR' });
  return context.newPage();
}

export const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

async function takePicture(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await press(page, 'Abrir a câmera');
  await press(page, 'Tirar a foto');
  await press(page, 'Usar esta foto');
}

/** Goes from the consent to the last screen, as the person does. */
export async function completePage(page: Page): Promise<void> {
  await page.getByRole('checkbox').check();
  await press(page, 'Concordar e continuar');
  await takePicture(page, 'Frente do documento');
  await takePicture(page, 'Verso do documento');
  await takePicture(page, 'Uma foto do seu rosto');
  await page.locator('main[data-screen=done]').waitFor();
}

/** Returns an empty object if the history has no decision. */
export async function readDecisionFromHistory(getTestStack: GetTestStack, path: string): Promise<object> {
  const connection = await Connection.connect({ address: getTestStack().stack.addresses.temporal });
  const id = `transaction/local/${path.split('/').at(-1)}`;
  const { events } = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  await connection.close();
  const { addresses, dataDir } = getTestStack().stack;
  const pool = openPool(addresses.postgres, createLogger('test', 'silent'), 1);
  const requests = (events ?? []).map((event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest);
  const request = requests.find((request) => request?.input?.name === 'decideBiometrics');
  const payloads = request?.input?.args?.payloads?.slice(0, 1) ?? [];
  const codec = openStackConverter(dataDir, pool).payloadCodecs?.[0];
  const [payload] = (await codec?.decode(payloads)) ?? [];
  await pool.end();
  return JSON.parse(Buffer.from(payload?.data ?? '{}').toString()) as object;
}

/** Opens the link and submits all images. */
export async function submitImages(url: string): Promise<void> {
  const person = new LinkBrowser(url);
  await person.request('');
  await person.openAndConsent();
  const image = await noiseImage(900, 700);
  for (const kind of ['documentFront', 'documentBack', 'selfie']) await person.upload(kind, image);
  expect((await person.post('/submit')).status).toBe(200);
}
