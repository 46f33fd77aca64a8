import { buildReview } from './build-review';
import type { FakeReviews } from './fake-reviews';
import { waitForHeading, openReview, pressButton, signIn, type TestPage, useReviews } from './review-world';

let fake: FakeReviews;
let testPage: TestPage;
const openPage = useReviews((opened) => {
  fake = opened;
});

async function openFirstReview(): Promise<TestPage['page']> {
  testPage = await openPage();
  await signIn(testPage.page);
  await openReview(testPage.page);
  return testPage.page;
}

it('the page shows the person, the measured values of the images and the findings as text', async () => {
  const [review] = fake.reviews;
  if (!review) throw new Error('There is no review.');
  const { documentBack, selfie } = review.captures;
  fake.reviews = [
    buildReview({
      captures: {
        ...review.captures,
        documentBack: { ...documentBack, sharpness: 17.6 },
        selfie: { ...selfie, brightness: 31, width: 500, height: 320 },
      },
      faces: { similarity: 0.412, liveness: 0.97, selfieFaces: 1, documentFaces: 0, notes: ['glasses'] },
      findings: [
        { capture: 'documentBack', code: 'blurred' },
        { capture: 'selfie', code: 'dark' },
        { capture: 'selfie', code: 'small' },
        { capture: 'selfie', code: 'low_similarity' },
        { capture: 'documentFront', code: 'no_face' },
      ],
    }),
  ];
  const page = await openFirstReview();
  const figures = await page.getByRole('figure').allInnerTexts();
  expect(figures.map((text) => text.split('\n').filter(Boolean).slice(2, -1))).toEqual([
    ['no face found', 'sharp (412)', 'good light (132)', 'good size (2560 × 1707)'],
    ['blurred (18)', 'good light (132)', 'good size (2560 × 1707)'],
    ['does not match the document', 'sharp (412)', 'too dark (31)', 'too small (500 × 320)'],
  ]);
  const body = await page.innerText('main');
  for (const text of ['Maria Silva', '3 May 1990', '52998224725', '41 %', '97 %', 'glasses', 'Initial'])
    expect(body).toContain(text);
  expect(body).not.toContain('for this link');
});

it.each([
  [{ name: '  maria  SILVA', birthdate: '1990-05-03T00:00:00Z' }, 0],
  [{ name: 'Maria Souza' }, 1],
  [{ name: 'Maria Souza', birthdate: '1990-03-05' }, 2],
])('the page shows where the data of the link differ from the transaction: %j', async (linkFields, differences) => {
  fake.reviews = [buildReview({ given: linkFields })];
  const page = await openFirstReview();
  expect(await page.getByText('for this link:').count()).toBe(differences);
});

it('the page shows HTML in names, documents and notes as text', async () => {
  const name = '<img src=x onerror=alert(1)>\u202egnp';
  const notes = ['<script>alert(2)</script>', 'x'.repeat(400)];
  fake.reviews = [buildReview({ person: { name, documentType: '<b>CPF', document: '"><i>1' }, faces: { notes } })];
  const page = await openFirstReview();
  for (const text of [name, notes[0] ?? '', '<b>CPF', '"><i>1', notes[1] ?? ''])
    await page.getByText(text, { exact: true }).first().waitFor();
  expect(await page.locator('main script, main i, main b, main img:not([src^="blob:"])').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1_280);
});

it('if the first image URLs have expired, the page requests new image URLs once; the page ignores the hosts in image URLs', async () => {
  testPage = await openPage();
  const { page } = testPage;
  await signIn(page);
  await waitForHeading(page, 'Reviews');
  await page.route(
    '**/v1/reviews/*',
    async (route) => {
      const response = await route.fetch();
      fake.expireImages();
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await openReview(page);
  await page.locator('.stage img').nth(2).waitFor();
  expect(fake.countRequests('GET /v1/reviews/{id}')).toBe(2);
});

it('the page requests new image URLs at most twice, and loads the image again when the reviewer presses the button', async () => {
  testPage = await openPage();
  const { page } = testPage;
  await page.route('**/images/selfie*', (route) => route.fulfill({ status: 410 }));
  await signIn(page);
  await openReview(page);
  await page.getByText('The image cannot be shown.').waitFor();
  expect(await page.locator('.stage img').count()).toBe(2);
  expect(fake.countRequests('GET /v1/reviews/{id}')).toBe(3);
  await page.unroute('**/images/selfie*');
  await pressButton(page, 'Try again');
  await page.locator('.stage img').nth(2).waitFor();
  expect(fake.countRequests('GET /v1/reviews/{id}')).toBe(3);
});

it('a reviewer can turn an image, also while it is enlarged, and can zoom an enlarged image by keyboard', async () => {
  const page = await openFirstReview();
  await page.getByRole('button', { name: 'Turn Selfie' }).click();
  await page.getByText('Selfie, turned by 90 degrees').waitFor();
  const enlargeButton = page.getByRole('button', { name: 'Enlarge Selfie' });
  await enlargeButton.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const image = dialog.getByRole('img', { name: 'Selfie' });
  const [frameBox, initialBox] = [await dialog.locator('.large').boundingBox(), await image.boundingBox()];
  // The turned image fills the window.
  expect([initialBox?.width, initialBox?.height]).toEqual([frameBox?.width, frameBox?.height]);
  expect([initialBox?.x, initialBox?.y]).toEqual([frameBox?.x, frameBox?.y]);
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  await dialog.getByText('200 %').first().waitFor();
  expect((await image.boundingBox())?.width).toBe((initialBox?.width ?? 0) * 2);
  const scrollEvent = page.evaluate(
    "new Promise((done) => document.querySelector('.large').addEventListener('scroll', () => done('yes'), { once: true }))",
  );
  await page.keyboard.press('ArrowDown');
  expect(await scrollEvent).toBe('yes');
  await page.keyboard.press('r');
  await page.keyboard.press('0');
  await dialog.getByText('100 %').first().waitFor();
  await dialog.getByRole('button', { name: 'Front' }).click();
  await dialog.getByRole('img', { name: 'Front of the document' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Enlarge Selfie');
  expect(await enlargeButton.locator('img').getAttribute('data-turns')).toBe('2');
});

it('the page offers no decision for a decided review', async () => {
  const decision = { status: 'Approved', reason: 'Same face.', by: 'reviewer-2', at: '2026-03-02T10:30:00.000Z' };
  fake.reviews = [buildReview({ status: 'Approved', decision })];
  const page = await openFirstReview();
  await page.getByText('This review was already decided: Approved. Same face.').waitFor();
  expect(await page.getByText('Waiting for').count()).toBe(0);
  expect(await page.getByRole('radio').count()).toBe(0);
});
