import type { Browser } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { FakeLink, type UploadFailure } from './fake-link';
import { giveConsent, waitForHeading, openPage, pressButton, captureImage, type TestPage } from './page-world';

let browser: Browser;
let link: FakeLink;
let testPage: TestPage;
beforeAll(async () => {
  browser = await openBrowser({ camera: 'allowed' });
});
afterAll(() => browser.close());
beforeEach(async () => {
  link = await FakeLink.open();
  link.chunkBytesMax = 4_096;
  testPage = await openPage(browser, link);
  await giveConsent(testPage.page);
});
afterEach(async () => {
  expect(testPage.consoleErrors).toEqual([]);
  await testPage.close();
  await link.close();
});

/** Only the chunk with this number fails. */
const failAtChunk = (number: number, failure: UploadFailure) => (chunk: number) =>
  chunk === number ? failure : undefined;
const countUploads = () => link.requests.filter((line) => line === 'POST /captures/documentFront').length;
const countSavedBytes = () => link.captures.get('documentFront')?.length ?? 0;
const countSentBytes = () => link.chunks.reduce((sum, { length }) => sum + length, 0);

it('after a failed connection, the page continues the upload at the first byte that the service has not saved', async () => {
  link.failUpload = failAtChunk(3, 'drop');
  await captureImage(testPage.page, 'Front of your document');
  await testPage.page.getByText('You are offline').waitFor();
  await waitForHeading(testPage.page, 'Back of your document');
  expect(link.chunks.slice(0, 4).map(({ offset }) => offset)).toEqual([0, 4_096, 8_192, 8_192]);
  expect(countSentBytes()).toBe(countSavedBytes() + 4_096);
  expect(countUploads()).toBe(1);
});

it.each(['lose', 'cut'] as const)(
  'the page reads the progress after a lost response (%s), and sends no byte twice',
  async (failure) => {
    link.failUpload = failAtChunk(2, failure);
    await captureImage(testPage.page, 'Front of your document');
    await waitForHeading(testPage.page, 'Back of your document');
    expect(countSentBytes()).toBe(countSavedBytes());
    expect(link.requests).toContain('GET /captures/documentFront/{id}');
  },
);

it('the page does not send an image again if the response to the last bytes of the image is lost', async () => {
  link.chunkBytesMax = 1_048_576;
  link.failUpload = failAtChunk(1, 'lose');
  await captureImage(testPage.page, 'Front of your document');
  await waitForHeading(testPage.page, 'Back of your document');
  expect(countUploads()).toBe(1);
  expect(countSentBytes()).toBe(countSavedBytes());
});

it('the page waits while the service is busy, and says so', async () => {
  link.failUpload = failAtChunk(1, 'busy');
  await captureImage(testPage.page, 'Front of your document');
  await testPage.page.getByText('We try again in 1 seconds').waitFor();
  await waitForHeading(testPage.page, 'Back of your document');
});

it('the page uploads an image again if the service lost the upload', async () => {
  link.failUpload = failAtChunk(3, 'forget');
  await captureImage(testPage.page, 'Front of your document');
  await waitForHeading(testPage.page, 'Back of your document');
  expect(countUploads()).toBe(2);
});

it('the page shows the reason if the service rejects an image', async () => {
  link.failUpload = failAtChunk(1, 'reject');
  await captureImage(testPage.page, 'Front of your document');
  await testPage.page.getByRole('alert').getByText('The picture is blurred').waitFor();
  await pressButton(testPage.page, 'Open the camera');
});

it('the page continues after a reload in the middle of an upload', async () => {
  link.failUpload = () => 'drop';
  await captureImage(testPage.page, 'Front of your document');
  await testPage.page.getByText('You are offline').waitFor();
  link.failUpload = () => undefined;
  await testPage.page.reload();
  await captureImage(testPage.page, 'Front of your document');
  await waitForHeading(testPage.page, 'Back of your document');
});
