import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { problemShape } from '../../api-world';
import { noiseImage, plainImage, zeroPng } from '../../../images/test-images';
import { createReencoder } from '../../../../images/reencode-image';
import { BiometricsWorld } from '../biometrics-world';
import type { LinkBrowser } from './link-browser';

let world: BiometricsWorld;
/** The highest memory use of this process so far. */
let peakMb = 0;
const sampler = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
}, 20);
beforeAll(async () => {
  world = await BiometricsWorld.open();
  world.api.dependencies.reencoder = createReencoder();
});
afterAll(async () => {
  clearInterval(sampler);
  console.log(`peak memory over all hostile uploads: ${Math.round(peakMb)} MB`);
  await world.close();
});

/** Also consents. `id`: the id of the transaction. */
async function openLink(): Promise<LinkBrowser & { id: string }> {
  const { browser, id } = await world.createTransactionWithLink();
  await browser.openAndConsent();
  return Object.assign(browser, { id });
}

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><script>alert(1)</script></svg>',
);
const html = Buffer.from('<!doctype html><script>alert(document.cookie)</script><?php system($_GET["c"]); ?>');
const jpeg = () => noiseImage(900, 700);
const jpegWithExif = async () =>
  sharp(await jpeg())
    .withExif({ IFD3: { GPSLatitude: '23/1 33/1 0/1', GPSLongitude: '46/1 38/1 0/1' }, IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer();

// A bomb is a small file that needs much memory when it is decoded.
test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['a PNG bomb of 30,000 x 30,000 pixels', () => zeroPng({ width: 30_000, height: 30_000 }), 'too_large'],
  [
    'a PNG bomb of 16 bits per sample',
    () => zeroPng({ width: 6_300, height: 6_300, bitsPerSample: 16, colorType: 6 }),
    'too_large',
  ],
  ['a PNG bomb of 9,999,999 x 4 pixels', () => zeroPng({ width: 9_999_999, height: 4 }), 'too_large'],
  ['a PNG bomb of 1 x 39,999,999 pixels', () => zeroPng({ width: 1, height: 39_999_999 }), 'too_large'],
  ['a PNG bomb of 124,999 x 320 pixels', () => zeroPng({ width: 124_999, height: 320 }), 'too_large'],
  ['a gzip bomb', () => gzipSync(Buffer.alloc(8_000_000)), 'not_an_image'],
  [
    'JPEG 2000',
    () => Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), randomBytes(2_000)]),
    'not_an_image',
  ],
  ['SVG', () => svg, 'not_an_image'],
  ['HTML after the first bytes of a JPEG', () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), html]), 'unreadable'],
  ['GIF', () => Buffer.concat([Buffer.from('GIF89a'), randomBytes(500)]), 'not_an_image'],
  ['a truncated JPEG', async () => (await jpeg()).subarray(0, 40_000), 'unreadable'],
  ['a PNG without data', () => zeroPng({ width: 900, height: 700 }).subarray(0, 60), 'unreadable'],
  [
    'a JPEG after the first bytes of a PNG',
    async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await jpeg()]),
    'unreadable',
  ],
  ['random bytes', () => randomBytes(100_000), 'not_an_image'],
  ['a black image', () => plainImage(900, 700, '#000000').jpeg().toBuffer(), 'too_dark'],
  ['an image of one grey', () => plainImage(900, 700).jpeg().toBuffer(), 'blurred'],
  ['a small image', () => noiseImage(200, 200), 'too_small'],
])('an upload of %s is rejected with a reason, and not saved', async (_, createImage, reason) => {
  const browser = await openLink();
  const before = await world.countStoredImages();
  const response = await browser.upload('selfie', await createImage());
  expect(response.body).toMatchObject({ ...problemShape('image_rejected', 422), reason });
  expect(await world.countStoredImages()).toBe(before);
  const uploadParts = await world.api.dependencies.pool.query(
    'select count(*)::int as count from upload_parts p join uploads u on u.id = p.upload_id where u.owner = $1',
    [browser.id],
  );
  expect(uploadParts.rows).toEqual([{ count: 0 }]);
  expect((await browser.readSession()).body).toMatchObject({ captures: { selfie: false } });
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['with GPS metadata', jpegWithExif],
  ['with HTML and PHP at its end', async () => Buffer.concat([await jpeg(), html])],
  [
    'with a ZIP at its end',
    async () => Buffer.concat([await jpeg(), Buffer.from('504b0304', 'hex'), randomBytes(3_000)]),
  ],
])('a JPEG %s is re-encoded without this content', async (_, createImage) => {
  const browser = await openLink();
  const image = await createImage();
  for (const kind of ['documentFront', 'documentBack', 'selfie'])
    expect((await browser.upload(kind, image)).body).toMatchObject({ done: true });
  await browser.post('/submit');
  const addresses = await world.api.request(`/v1/transaction/${browser.id}/biometrics/selfie`);
  const served = await fetch(world.onTestHost((addresses.body as { selfieUrl: string }).selfieUrl));
  const bytes = Buffer.from(await served.arrayBuffer());
  const { exif, format } = await sharp(bytes).metadata();
  expect([format, exif]).toEqual(['jpeg', undefined]);
  const endOfImage = 'ffd9';
  expect(bytes.subarray(-2).toString('hex')).toBe(endOfImage);
  for (const forbiddenText of ['Somebody', '<script', '<?php']) expect(bytes.includes(forbiddenText)).toBe(false);
});

test('before the re-encoding, the JPEG with GPS metadata has EXIF data, which proves that the test above can fail', async () => {
  const { exif } = await sharp(await jpegWithExif()).metadata();
  expect(exif?.length).toBeGreaterThan(50);
});
