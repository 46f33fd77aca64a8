import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Problem } from '../../../../api/http/problem';
import { lockOwner } from '../../../../images/uploads.sql';
import { type Reencoder } from '../../../../images/reencode-image';
import type { Uploads } from '../../../../images/uploads';
import { inTransaction } from '../../../../platform/postgres/postgres';
import { noiseImage } from '../../../images/test-images';
import { problemShape } from '../../api-world';
import { waitUntil } from '../../../support/wait-until';
import { BiometricsWorld } from '../biometrics-world';
import type { LinkResponse, LinkBrowser } from './link-browser';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(() => world.close());

/** Also consents. `id`: the id of the transaction. */
async function openLink(tenant = 'local'): Promise<LinkBrowser & { id: string }> {
  const { browser, id } = await world.createTransactionWithLink({}, tenant);
  await browser.openAndConsent();
  return Object.assign(browser, { id });
}

/** Sends the headers of a chunk and the first byte of its body. */
function startSlowChunk(browser: LinkBrowser, path: string): Promise<Socket> {
  const { port, pathname } = new URL(`${browser.address}${path}`);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: localhost\r\nCookie: ${browser.cookie}\r\nContent-Type: application/octet-stream\r\nUpload-Offset: 0\r\nContent-Length: 50000\r\n\r\nx`;
  return new Promise((resolve) => socket.write(head, () => resolve(socket)));
}

describe('invalid uploads', () => {
  test('a form of 10,000 fields, and JSON of 3,000 fields, are rejected', async () => {
    const browser = await openLink();
    const form = new FormData();
    for (let n = 0; n < 10_000; n += 1) form.append(`field${n}`, 'x');
    const response = await browser.request('/captures/selfie', { method: 'POST', body: form });
    expect(response.body).toMatchObject({ code: expect.stringMatching(/^(body_too_large|unsupported_media_type)$/) });
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
  ])('an upload whose first request has the body %j is rejected with %s', async (body, code) => {
    const browser = await openLink();
    expect((await browser.post('/captures/selfie', body)).body).toMatchObject({ code });
  });

  test('an upload of an unknown kind of image returns 404', async () => {
    const browser = await openLink();
    for (const kind of ['passport', '..%2Fselfie', 'constructor'])
      expect([kind, (await browser.post(`/captures/${kind}`, { size: 9 })).status]).toEqual([kind, 404]);
  });

  test('a chunk that is compressed, or has a wrong offset or length, is rejected, and the right chunk can still be uploaded', async () => {
    const browser = await openLink();
    const { uploadId } = (await browser.post('/captures/selfie', { size: world.image.length })).body;
    const path = `/captures/selfie/${String(uploadId)}`;
    const part = (from: number, to: number) => world.image.subarray(from, to);
    expect((await browser.sendChunk(path, 5, part(0, 20_000))).body).toMatchObject({
      code: 'upload_offset',
      received: 0,
    });
    expect((await browser.sendChunk(path, 0, Buffer.alloc(1_048_577))).body).toMatchObject({ code: 'body_too_large' });
    expect((await browser.sendChunk(path, 0, part(0, 100))).body).toMatchObject({ code: 'validation_failed' });
    expect((await browser.sendChunk(path, 0, part(0, 0))).body).toMatchObject({ code: 'validation_failed' });
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
    expect((await browser.sendChunk(path, 0, part(0, 20_000))).body).toEqual({ received: 20_000, done: false });
    // The first chunk again, as after a lost response.
    expect((await browser.sendChunk(path, 0, part(0, 20_000))).body).toEqual({ received: 20_000, done: false });
    expect((await browser.sendChunk(path, 20_000, part(20_000, world.image.length))).body).toMatchObject({
      done: true,
    });
    // The last chunk again, as after a lost response. Nothing is saved twice.
    const again = await browser.sendChunk(path, 20_000, part(20_000, world.image.length));
    expect(again.body).toEqual({ received: world.image.length, done: true });
    expect((await browser.request(path)).body).toEqual({ received: world.image.length });
    expect((await browser.readSession()).body).toMatchObject({ captures: { selfie: true } });
  });

  test('during an outage, the last chunk of an upload gets 503, and a later retry of this chunk saves the image only once', async () => {
    const browser = await openLink();
    const countBefore = await world.countStoredImages();
    const size = world.image.length;
    const { uploadId } = (await browser.post('/captures/selfie', { size })).body;
    const path = `/captures/selfie/${String(uploadId)}`;
    await browser.sendChunk(path, 0, world.image.subarray(0, 20_000));
    const { send } = world.api.transactions;
    world.api.transactions.send = async () => {
      throw new Problem('service_unavailable');
    };
    expect((await browser.sendChunk(path, 20_000, world.image.subarray(20_000))).status).toBe(503);
    expect((await browser.sendChunk(path, size, Buffer.alloc(0))).status).toBe(503);
    world.api.transactions.send = send;
    expect((await browser.request(path)).body).toEqual({ received: size });
    expect((await browser.sendChunk(path, size, Buffer.alloc(0))).body).toEqual({ received: size, done: true });
    expect((await browser.readSession()).body).toMatchObject({ captures: { selfie: true } });
    expect(await world.countStoredImages()).toBe(countBefore + 1);
  });

  test('if the check of an image ends with an internal error, an empty last chunk starts the check again', async () => {
    const browser = await openLink();
    const size = world.image.length;
    const { uploadId } = (await browser.post('/captures/selfie', { size })).body;
    const path = `/captures/selfie/${String(uploadId)}`;
    const { reencoder } = world.api.dependencies;
    world.api.dependencies.reencoder = { ...reencoder, reencode: () => Promise.reject(new Error('no thread')) };
    expect((await browser.sendChunk(path, 0, world.image)).status).toBe(500);
    world.api.dependencies.reencoder = reencoder;
    expect((await browser.request(path)).body).toEqual({ received: size });
    expect((await browser.sendChunk(path, size, Buffer.alloc(0))).body).toEqual({ received: size, done: true });
  });

  test('a full disk returns 503, and the person can upload again when it has room', async () => {
    const browser = await openLink();
    const { images } = world.api.dependencies;
    const save = () => Promise.reject(Object.assign(new Error('write'), { code: 'ENOSPC' }));
    world.api.dependencies.images = { ...images, save };
    expect((await browser.upload('selfie', world.image)).body).toMatchObject(problemShape('service_unavailable', 503));
    world.api.dependencies.images = images;
    expect((await browser.upload('selfie', world.image)).status).toBe(200);
  });

  describe('during slow image checks', () => {
    let reencoder: Reencoder;
    /** Until a test calls `release`, no image check ends. */
    let release: () => void;
    let waitingImages: number;
    beforeEach(() => {
      waitingImages = 0;
      const released = new Promise<void>((resolve) => (release = resolve));
      ({ reencoder } = world.api.dependencies);
      const reencode: Reencoder['reencode'] = async () => {
        waitingImages += 1;
        await released;
        return { error: 'unreadable' };
      };
      world.api.dependencies.reencoder = { ...reencoder, reencode };
    });
    afterEach(() => {
      world.api.dependencies.reencoder = reencoder;
    });

    const waitForImages = async (count: number): Promise<void> => {
      const deadline = Date.now() + 30_000;
      for (;;) {
        if (waitingImages >= count) return;
        if (Date.now() > deadline) throw new Error(`${waitingImages} of ${count} images wait after 30 s.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    /** Returns a function that sends the whole image as one chunk. */
    const startUpload = async (browser: LinkBrowser): Promise<() => Promise<LinkResponse>> => {
      const { uploadId } = (await browser.post('/captures/selfie', { size: world.image.length })).body;
      return () => browser.sendChunk(`/captures/selfie/${String(uploadId)}`, 0, world.image);
    };
    const rejectedImage = { body: { code: 'image_rejected' } };

    test('a link processes at most two chunks at once, and other links continue', async () => {
      const [busyLink, otherLink] = [await openLink(), await openLink()];
      const [sendFirst, sendSecond, sendThird] = [
        await startUpload(busyLink),
        await startUpload(busyLink),
        await startUpload(busyLink),
      ];
      const first = sendFirst();
      await waitForImages(1);
      const second = sendSecond();
      await waitForImages(2);
      for (let n = 0; n < 3; n += 1) expect((await sendThird()).body).toMatchObject(problemShape('images_busy', 503));
      const otherUpload = otherLink.upload('selfie', world.image);
      await waitForImages(3);
      release();
      expect(await Promise.all([first, second, otherUpload])).toMatchObject([
        rejectedImage,
        rejectedImage,
        rejectedImage,
      ]);
      expect(await sendThird()).toMatchObject(rejectedImage);
    });

    test('with forty chunks of a tenant in progress, the next chunk of this tenant gets 503 with Retry-After, but not of another tenant', async () => {
      const sendLast = await startUpload(await openLink());
      const responses: Promise<LinkResponse>[] = [];
      // The uploads start one after the other. On a busy machine, some of forty uploads at once could get 503 for another reason: they wait
      // too long for a database connection.
      while (responses.length < 40) {
        const send = await startUpload(await openLink());
        responses.push(send());
        await waitForImages(responses.length);
      }
      const rejected = await sendLast();
      expect(rejected.body).toMatchObject(problemShape('images_busy', 503));
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
      const otherTenant = (await startUpload(await openLink('other')))();
      await waitForImages(41);
      release();
      for (const answer of await Promise.all([...responses, otherTenant])) expect(answer).toMatchObject(rejectedImage);
      expect(await sendLast()).toMatchObject(rejectedImage);
    });
  });

  test('forty chunks whose bodies arrive slowly keep no other person waiting, of the same tenant or another', async () => {
    const slowUploads: { browser: LinkBrowser; path: string }[] = [];
    for (let count = 0; count < 20; count += 1) {
      const browser = await openLink();
      const { uploadId } = (await browser.post('/captures/selfie', { size: 50_000 })).body;
      slowUploads.push({ browser, path: `/captures/selfie/${String(uploadId)}` });
    }
    const persons = [await openLink('other'), await openLink()];
    let arriving = 0;
    const { transactions } = world.api;
    const { readLink } = transactions;
    const spy = jest.spyOn(transactions, 'readLink').mockImplementation(async (tokenHash) => {
      const found = await readLink(tokenHash);
      arriving += 1;
      return found;
    });
    const slowChunks = [...slowUploads, ...slowUploads].map(({ browser, path }) => startSlowChunk(browser, path));
    const sockets = await Promise.all(slowChunks);
    // After the link was found, the service reads the body.
    await waitUntil(() => arriving === sockets.length);
    spy.mockRestore();
    for (const person of persons)
      expect((await person.upload('selfie', world.image)).body).toMatchObject({ done: true });
    for (const socket of sockets) socket.destroy();
  });

  describe('a last chunk that is repeated', () => {
    let reencoder: Reencoder;
    beforeEach(() => ({ reencoder } = world.api.dependencies));
    afterEach(() => {
      world.api.dependencies.reencoder = reencoder;
    });
    /** Starts an upload of a selfie. Returns a function that sends the whole image as one chunk. */
    const startWhole = async (browser: LinkBrowser, image: Buffer) => {
      const { uploadId } = (await browser.post('/captures/selfie', { size: image.length })).body;
      const path = `/captures/selfie/${String(uploadId)}`;
      return { path, send: () => browser.sendChunk(path, 0, image) };
    };

    test('while the image is decoded, the repeat gets the answer of the first request, and the image is saved once', async () => {
      const browser = await openLink();
      const before = await world.countStoredImages();
      const { path, send } = await startWhole(browser, world.image);
      let repeat: Promise<LinkResponse> | undefined;
      const reencode: Reencoder['reencode'] = (load) =>
        reencoder.reencode(async () => {
          const bytes = await load();
          // The first request has taken the upload, and its image is not decoded yet.
          repeat ??= send();
          await pause(300);
          expect((await browser.request(path)).body).toEqual({ received: world.image.length });
          return bytes;
        });
      world.api.dependencies.reencoder = { ...reencoder, reencode };
      const done = { received: world.image.length, done: true };
      expect((await send()).body).toEqual(done);
      expect((await repeat)?.body).toEqual(done);
      expect(await world.countStoredImages()).toBe(before + 1);
    });

    test('while another request of the transaction takes the upload or saves the image, the repeat waits for the same answer', async () => {
      const browser = await openLink();
      const { send } = await startWhole(browser, world.image);
      const { uploads, pool } = world.api.dependencies;
      const appendResults: Awaited<ReturnType<Uploads['append']>>[] = [];
      world.api.dependencies.uploads = {
        ...uploads,
        append: async (...chunk) => {
          const result = await uploads.append(...chunk);
          appendResults.push(result);
          return result;
        },
      };
      const done = { received: world.image.length, done: true };
      try {
        expect((await send()).body).toEqual(done);
        const repeat = await inTransaction(pool, async (client) => {
          await lockOwner(client, { tenant: 'local', owner: browser.id });
          const response = send();
          await waitUntil(() => appendResults.length > 1);
          return { response };
        });
        expect(appendResults[1]).toMatchObject({ error: 'busy' });
        expect((await repeat.response).body).toEqual(done);
      } finally {
        world.api.dependencies.uploads = uploads;
      }
    });

    test('after the image was rejected, the repeat is rejected with the same reason', async () => {
      const browser = await openLink();
      const { send } = await startWhole(browser, await noiseImage(200, 200));
      const first = await send();
      expect(first.body).toMatchObject({ code: 'image_rejected', reason: 'too_small' });
      const repeat = await send();
      expect(repeat.body).toMatchObject({ code: 'image_rejected', reason: 'too_small' });
    });

    test('after the image could not be saved, the repeat decodes and saves it', async () => {
      const browser = await openLink();
      const { send } = await startWhole(browser, world.image);
      const { images } = world.api.dependencies;
      world.api.dependencies.images = { ...images, save: () => Promise.reject(new Error('the store is full')) };
      expect((await send()).status).toBe(500);
      world.api.dependencies.images = images;
      expect((await send()).body).toEqual({ received: world.image.length, done: true });
    });
  });

  test('an upload is not found under another link, or under another kind of image', async () => {
    const [mine, other] = [await openLink(), await openLink()];
    const { uploadId } = (await mine.post('/captures/selfie', { size: world.image.length })).body;
    const selfiePath = `/captures/selfie/${String(uploadId)}`;
    expect((await other.request(selfiePath)).status).toBe(404);
    expect((await other.sendChunk(selfiePath, 0, world.image)).status).toBe(404);
    const documentResponse = await mine.sendChunk(`/captures/documentFront/${String(uploadId)}`, 0, world.image);
    expect(documentResponse.body).toMatchObject(problemShape('upload_not_found', 404));
    expect((await mine.readSession()).body).toMatchObject({ captures: { documentFront: false, selfie: false } });
  });
});

test('aborted uploads can continue until the cleanup deletes them', async () => {
  const browser = await openLink();
  const countBefore = await world.countStoredImages();
  const { uploadId } = (await browser.post('/captures/selfie', { size: world.image.length })).body;
  const path = `${new URL(browser.address).pathname}/captures/selfie/${String(uploadId)}`;
  for (const sentBytes of [0, 10, 50_000]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(world.api.address).port), '127.0.0.1', () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nUpload-Offset: 0\r\nContent-Length: 200000\r\n\r\n`,
        );
        socket.write(world.image.subarray(0, sentBytes), () => setTimeout(() => socket.destroy(), 50));
      });
      socket.on('close', () => resolve());
    });
  }
  expect((await browser.request(`/captures/selfie/${String(uploadId)}`)).body).toEqual({ received: 0 });
  expect(
    (await browser.sendChunk(`/captures/selfie/${String(uploadId)}`, 0, world.image.subarray(0, 20_000))).status,
  ).toBe(200);
  const { uploads, pool, logger } = world.api.dependencies;
  await uploads.cleanUp(new Date(Date.now() + 2 * 3_600_000), { logger });
  const { rows } = await pool.query('select count(*)::int as count from uploads');
  expect([rows[0]?.count, await world.countStoredImages()]).toEqual([0, countBefore]);
});

test('a new image replaces the earlier image of the same kind, and the file of the earlier image is deleted', async () => {
  const browser = await openLink();
  const before = await world.countStoredImages();
  for (let n = 0; n < 3; n += 1) await browser.upload('selfie', world.image);
  expect(await world.countStoredImages()).toBe(before + 1);
  const actions = (await world.readAuditEntries(browser.id)).map(({ actor, action }) => `${actor} ${action}`);
  expect(actions).toEqual(['person images_erased', 'person images_erased']);
});

describe('an image whose last chunk is sent again', () => {
  /** Uploads a selfie in one chunk. Returns a function that sends the chunk again. */
  async function uploadSelfie(browser: LinkBrowser, image: Buffer) {
    const { uploadId } = (await browser.post('/captures/selfie', { size: image.length })).body;
    const send = () => browser.sendChunk(`/captures/selfie/${String(uploadId)}`, 0, image);
    return { first: await send(), send };
  }

  test.each(['record_not_saved', 'data_key_missing', 'service_unavailable', 'consent_missing'] as const)(
    'is kept after %s, because the transaction may still accept it',
    async (code) => {
      const browser = await openLink();
      const countBefore = await world.countStoredImages();
      jest.spyOn(world.api.transactions, 'send').mockRejectedValueOnce(new Problem(code));
      const { first, send } = await uploadSelfie(browser, world.image);
      expect(first.body).toMatchObject({ code });
      expect((await send()).body).toEqual({ received: world.image.length, done: true });
      expect(await world.countStoredImages()).toBe(countBefore + 1);
    },
  );

  test('is kept if the link was closed after the transaction had accepted it', async () => {
    const { browser, path } = await world.createTransactionWithLink();
    await browser.openAndConsent();
    const { first, send } = await uploadSelfie(browser, world.image);
    expect(first.status).toBe(200);
    const count = await world.countStoredImages();
    const { transactions } = world.api;
    const sendCommand = transactions.send.bind(transactions);
    jest.spyOn(transactions, 'send').mockImplementationOnce(async (...command) => {
      await world.createLink(path);
      return sendCommand(...command);
    });
    expect((await send()).body).toMatchObject({ code: 'link_closed' });
    expect(await world.countStoredImages()).toBe(count);
  });

  test('does not replace the newer image that has replaced it', async () => {
    const browser = await openLink();
    const { send } = await uploadSelfie(browser, world.image);
    await uploadSelfie(browser, world.image);
    const count = await world.countStoredImages();
    expect((await send()).body).toMatchObject(problemShape('upload_not_found', 404));
    expect(await world.countStoredImages()).toBe(count);
  });
});

test('a link accepts thirty images, but rejects the next image and does not save it', async () => {
  const browser = await openLink();
  const small = await noiseImage(700, 660);
  for (let n = 0; n < 30; n += 1) expect((await browser.upload('selfie', small)).status).toBe(200);
  const countBefore = await world.countStoredImages();
  expect((await browser.upload('selfie', small)).body).toMatchObject(problemShape('capture_limit_reached', 422));
  expect(await world.countStoredImages()).toBe(countBefore);
});
