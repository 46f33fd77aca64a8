import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { problemShape } from '../api-world';
import { noise, plain, zeroPng } from '../../platform/images/pictures';
import { BiometricsWorld } from './biometrics-world';
import type { LinkBrowser } from './link-browser';

let world: BiometricsWorld;
let peakMb = 0;
const sampler = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6);
}, 20);
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(async () => {
  clearInterval(sampler);
  process.stdout.write(`peak memory over all hostile uploads: ${Math.round(peakMb)} MB\n`);
  await world.close();
});

async function opened(): Promise<LinkBrowser & { id: string }> {
  const { browser, id } = await world.link();
  await browser.begin();
  return Object.assign(browser, { id });
}

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><script>alert(1)</script></svg>',
);
const html = Buffer.from('<!doctype html><script>alert(document.cookie)</script><?php system($_GET["c"]); ?>');
const jpeg = () => noise(900, 700);
const withExif = async () =>
  sharp(await jpeg())
    .withExif({ IFD3: { GPSLatitude: '23/1 33/1 0/1', GPSLongitude: '46/1 38/1 0/1' }, IFD0: { Artist: 'Somebody' } })
    .jpeg()
    .toBuffer();

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['a bomb of 30,000 x 30,000 pixels', () => zeroPng({ width: 30_000, height: 30_000 }), 'too_large'],
  ['a bomb of 16 bits a sample', () => zeroPng({ width: 6_300, height: 6_300, depth: 16, colour: 6 }), 'too_large'],
  ['gzip of a bomb', () => gzipSync(Buffer.alloc(8_000_000)), 'not_an_image'],
  [
    'JPEG 2000',
    () => Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), randomBytes(2_000)]),
    'not_an_image',
  ],
  ['SVG', () => svg, 'not_an_image'],
  ['HTML that calls itself JPEG', () => Buffer.concat([Buffer.from('ffd8ff', 'hex'), html]), 'unreadable'],
  ['GIF', () => Buffer.concat([Buffer.from('GIF89a'), randomBytes(500)]), 'not_an_image'],
  ['a truncated JPEG', async () => (await jpeg()).subarray(0, 40_000), 'unreadable'],
  ['a PNG without data', () => zeroPng({ width: 900, height: 700 }).subarray(0, 60), 'unreadable'],
  [
    'a PNG head on a JPEG',
    async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), await jpeg()]),
    'unreadable',
  ],
  ['noise', () => randomBytes(100_000), 'not_an_image'],
  ['nothing but black', () => plain(900, 700, '#000000').jpeg().toBuffer(), 'too_dark'],
  ['nothing but one grey', () => plain(900, 700).jpeg().toBuffer(), 'blurred'],
  ['a stamp', () => noise(200, 200), 'too_small'],
])('%s is refused with a reason, and nothing of it stays', async (_, make, reason) => {
  const browser = await opened();
  const before = await world.stored();
  const answer = await browser.upload('selfie', await make());
  expect(answer.body).toMatchObject({ ...problemShape('image_rejected', 422), reason });
  expect(await world.stored()).toBe(before);
  const parts = await world.api.parts.pool.query(
    'select count(*)::int as left from upload_parts p join uploads u on u.id = p.upload_id where u.owner = $1',
    [browser.id],
  );
  expect(parts.rows).toEqual([{ left: 0 }]);
  expect((await browser.session()).body).toMatchObject({ captures: { selfie: false } });
});

test.each<[string, () => Buffer | Promise<Buffer>]>([
  ['with where it was taken', withExif],
  ['with HTML and PHP behind it', async () => Buffer.concat([await jpeg(), html])],
  [
    'with a ZIP behind it',
    async () => Buffer.concat([await jpeg(), Buffer.from('504b0304', 'hex'), randomBytes(3_000)]),
  ],
])('a JPEG %s is made anew, and what is served has none of it', async (_, make) => {
  const browser = await opened();
  const image = await make();
  expect((await browser.upload('selfie', image)).body).toMatchObject({ done: true });
  const addresses = await world.api.ask(`/v1/transaction/${browser.id}/biometrics/selfie`);
  const served = await fetch(world.here((addresses.body as { selfieUrl: string }).selfieUrl));
  const bytes = Buffer.from(await served.arrayBuffer());
  const { exif, format } = await sharp(bytes).metadata();
  expect([format, exif]).toEqual(['jpeg', undefined]);
  for (const left of ['Somebody', 'GPS', '<script', '<?php', 'PK\u0003\u0004'])
    expect(bytes.includes(left)).toBe(false);
});

test('EXIF was there before, so that the test can fail', async () => {
  const { exif } = await sharp(await withExif()).metadata();
  expect(exif?.length).toBeGreaterThan(50);
});

describe('what is no upload', () => {
  test('10,000 form fields are not read', async () => {
    const browser = await opened();
    const form = new FormData();
    for (let n = 0; n < 10_000; n += 1) form.append(`field${n}`, 'x');
    const answer = await browser.request('/captures/selfie', { method: 'POST', body: form });
    expect(answer.body).toMatchObject({ code: expect.stringMatching(/^(body_too_large|unsupported_media_type)$/) });
    const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`f${n}`, 1]));
    expect((await browser.post('/captures/selfie', fields)).body).toMatchObject(problemShape('too_many_fields', 400));
  });

  test.each([
    [{ size: 10 * 1024 * 1024 + 1 }, 'image_rejected'],
    [{ size: 0 }, 'validation_failed'],
    [{ size: -1 }, 'validation_failed'],
    [{ size: 1.5 }, 'validation_failed'],
    [{ size: '9' }, 'validation_failed'],
    [{}, 'validation_failed'],
    [{ size: 9, name: '../../x' }, 'unknown_field'],
  ])('an upload of %j is refused', async (body, code) => {
    const browser = await opened();
    expect((await browser.post('/captures/selfie', body)).body).toMatchObject({ code });
  });

  test('other kinds of image have no path', async () => {
    const browser = await opened();
    for (const kind of ['passport', '..%2Fselfie', 'constructor'])
      expect([kind, (await browser.post(`/captures/${kind}`, { size: 9 })).status]).toEqual([kind, 404]);
  });

  test('chunks that do not follow, are too long, too short or compressed are refused; the upload goes on', async () => {
    const browser = await opened();
    const { uploadId } = (await browser.post('/captures/selfie', { size: world.picture.length })).body;
    const path = `/captures/selfie/${String(uploadId)}`;
    const part = (from: number, to: number) => world.picture.subarray(from, to);
    expect((await browser.chunk(path, 5, part(0, 20_000))).body).toMatchObject({ code: 'upload_offset', received: 0 });
    expect((await browser.chunk(path, 0, Buffer.alloc(1_048_577))).body).toMatchObject({ code: 'body_too_large' });
    expect((await browser.chunk(path, 0, part(0, 100))).body).toMatchObject({ code: 'validation_failed' });
    expect((await browser.chunk(path, 0, part(0, 0))).body).toMatchObject({ code: 'validation_failed' });
    const zipped = await browser.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', 'Upload-Offset': '0', 'Content-Encoding': 'gzip' },
      body: gzipSync(part(0, 20_000)),
    });
    expect(zipped.body).toMatchObject({ code: 'unsupported_media_type' });
    for (const offset of ['-1', '1e3', '', '99999999999'])
      expect(
        (
          await browser.request(path, {
            method: 'POST',
            headers: { 'Content-Type': 'application/octet-stream', 'Upload-Offset': offset },
            body: 'x',
          })
        ).status,
      ).toBe(400);
    expect((await browser.request(path)).body).toEqual({ received: 0 });
    expect((await browser.chunk(path, 0, part(0, 20_000))).body).toEqual({ received: 20_000, done: false });
    // The answer was lost, and the page sends it again.
    expect((await browser.chunk(path, 0, part(0, 20_000))).body).toEqual({ received: 20_000, done: false });
    expect((await browser.chunk(path, 20_000, part(20_000, world.picture.length))).body).toMatchObject({ done: true });
    expect((await browser.request(path)).body).toMatchObject(problemShape('upload_not_found', 404));
  });

  test('an upload that was begun for one image, link or person is not found under another', async () => {
    const [mine, other] = [await opened(), await opened()];
    const { uploadId } = (await mine.post('/captures/selfie', { size: world.picture.length })).body;
    const asSelfie = `/captures/selfie/${String(uploadId)}`;
    expect((await other.request(asSelfie)).status).toBe(404);
    expect((await other.chunk(asSelfie, 0, world.picture)).status).toBe(404);
    const asDocument = await mine.chunk(`/captures/documentFront/${String(uploadId)}`, 0, world.picture);
    expect(asDocument.body).toMatchObject(problemShape('upload_not_found', 404));
    expect((await mine.session()).body).toMatchObject({ captures: { documentFront: false, selfie: false } });
  });
});

test('uploads that are broken off leave nothing behind once they are swept, and go on until then', async () => {
  const browser = await opened();
  const before = await world.stored();
  const { uploadId } = (await browser.post('/captures/selfie', { size: world.picture.length })).body;
  const path = `${new URL(browser.page).pathname}/captures/selfie/${String(uploadId)}`;
  for (const sent of [0, 10, 50_000]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(world.api.address).port), '127.0.0.1', () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nUpload-Offset: 0\r\nContent-Length: 200000\r\n\r\n`,
        );
        socket.write(world.picture.subarray(0, sent), () => setTimeout(() => socket.destroy(), 50));
      });
      socket.on('close', () => resolve());
    });
  }
  expect((await browser.request(`/captures/selfie/${String(uploadId)}`)).body).toEqual({ received: 0 });
  expect(
    (await browser.chunk(`/captures/selfie/${String(uploadId)}`, 0, world.picture.subarray(0, 20_000))).status,
  ).toBe(200);
  const { uploads, pool } = world.api.parts;
  await uploads.sweep(new Date(Date.now() + 2 * 3_600_000));
  const { rows } = await pool.query('select count(*)::int as left from uploads');
  expect([rows[0]?.left, await world.stored()]).toEqual([0, before]);
});

test('an image that is taken again takes the place of the first, which is gone from the disk', async () => {
  const browser = await opened();
  const before = await world.stored();
  for (let n = 0; n < 3; n += 1) await browser.upload('selfie', world.picture);
  expect(await world.stored()).toBe(before + 1);
  const actions = (await world.audit(browser.id)).map(({ actor, action }) => `${actor} ${action}`);
  expect(actions).toEqual(['person images_erased', 'person images_erased']);
});

test('after thirty images a link takes no more, and keeps none of them', async () => {
  const browser = await opened();
  const small = await noise(700, 660);
  for (let n = 0; n < 30; n += 1) expect((await browser.upload('selfie', small)).status).toBe(200);
  const stored = await world.stored();
  expect((await browser.upload('selfie', small)).body).toMatchObject(problemShape('capture_limit_reached', 422));
  expect(await world.stored()).toBe(stored);
});
