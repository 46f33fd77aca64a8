import sharp from 'sharp';
import { documentUrls, selfieUrl, imageErasure } from '../../../api/biometrics/images';
import { createTestKeys } from '../../support/test-keys';
import { imagePath } from '../../../images/sealed-images';
import { problemShape } from '../api-world';
import { BiometricsWorld } from './biometrics-world';
import * as responseFields from '../../../api/http/openapi/schema-of';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(() => world.close());
afterEach(() => {
  jest.useRealTimers();
});

const readDocument = async (path: string) =>
  documentUrls.parse((await world.api.request(`${path}/biometrics/document`)).body);
const readSelfie = async (path: string) => selfieUrl.parse((await world.api.request(`${path}/biometrics/selfie`)).body);

describe('GET biometrics/document and /selfie', () => {
  test('each request returns new image URLs, which are valid for five minutes, and the fields have the order of SPEC', async () => {
    const { path } = await world.submitAll();
    const startedAt = Date.now();
    const [first, selfieAddress] = [await readDocument(path), await readSelfie(path)];
    expect(Object.keys(first)).toEqual(['documentFrontUrl', 'documentBackUrl', 'expirationDateUtc']);
    expect(Object.keys(selfieAddress)).toEqual(['selfieUrl', 'expirationDateUtc']);
    const lifetimeMs = Date.parse(first.expirationDateUtc) - startedAt;
    expect(lifetimeMs).toBeGreaterThanOrEqual(300_000);
    expect(lifetimeMs).toBeLessThan(302_000);
    expect((await readDocument(path)).documentFrontUrl).not.toBe(first.documentFrontUrl);
    for (const url of [first.documentFrontUrl, first.documentBackUrl, selfieAddress.selfieUrl]) {
      const image = await fetch(world.onTestHost(url));
      expect(image.status).toBe(200);
      expect(Object.fromEntries(image.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      expect(await sharp(Buffer.from(await image.arrayBuffer())).metadata()).toMatchObject({
        width: 900,
        height: 700,
      });
    }
  });

  test('a request for image URLs returns 404 before the images are submitted, and for another tenant', async () => {
    const { path, browser } = await world.createTransactionWithLink();
    const missing = problemShape('biometrics_not_found', 404);
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(missing);
    await browser.openAndConsent();
    await browser.upload('selfie', world.image);
    // Callers can read an image only after its submission.
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(missing);
    const { path: submittedPath } = await world.submitAll();
    const token = await world.api.issueToken('other');
    expect((await world.api.request(`${submittedPath}/biometrics/document`, { token })).status).toBe(404);
  });

  test('a request for image URLs needs the scope biometrics:images', async () => {
    const { path } = await world.createTransactionWithLink();
    const token = await world.api.issueToken('local', ['biometrics:link', 'transaction:read']);
    expect((await world.api.request(`${path}/biometrics/selfie`, { token })).body).toMatchObject(
      problemShape('insufficient_scope', 403),
    );
  });

  test('each request for image URLs, and each read of an image, is written to the audit log', async () => {
    const { path, id } = await world.submitAll();
    const { selfieUrl } = await readSelfie(path);
    await (await fetch(world.onTestHost(selfieUrl))).arrayBuffer();
    expect((await world.readAuditEntries(id)).map(({ actor, action }) => [actor, action])).toEqual([
      ['client-of-local', 'image_urls_given'],
      ['client-of-local', 'image_read'],
    ]);
    const { body } = await world.api.request(`${path}/biometrics/audit`);
    expect(
      responseFields.auditEntry
        .array()
        .parse(body)
        .map(({ action }) => action),
    ).toEqual(['image_read', 'image_urls_given']);
  });
});

describe('signed image URLs', () => {
  const statusOf = async (path: string) => (await fetch(`${world.api.address}${path}`)).status;

  test('altered image URLs are rejected', async () => {
    const { path, id } = await world.submitAll();
    const address = new URL((await readSelfie(path)).selfieUrl).pathname;
    const [body = '', signature = ''] = address.slice('/images/'.length).split('.');
    const [tenant, owner, image, expiresAtMs, actor] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      string,
      string,
      number,
      string,
    ];
    const encode = (content: unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const alteredAddresses = [
      ['a later time', encode([tenant, owner, image, expiresAtMs + 1, actor]), signature],
      ['another tenant', encode(['other', owner, image, expiresAtMs, actor]), signature],
      ['another client', encode([tenant, owner, image, expiresAtMs, 'somebody']), signature],
      ['a missing signature', body, ''],
      ['a short signature', body, signature.slice(0, -1)],
      ['a longer signature', body, `${signature}A`],
      ['the signature twice', `${body}.${signature}`, signature],
      ['traversal', encode([tenant, '..', '../../../etc/passwd', expiresAtMs, actor]), signature],
    ] as const;
    for (const [name, alteredBody, alteredSignature] of alteredAddresses)
      expect([name, await statusOf(`/images/${alteredBody}.${alteredSignature}`)]).toEqual([name, 404]);
    for (let index = 0; index < body.length + signature.length + 1; index += 7) {
      const validAddress = `${body}.${signature}`;
      const alteredAddress = `${validAddress.slice(0, index)}${validAddress[index] === 'x' ? 'y' : 'x'}${validAddress.slice(index + 1)}`;
      expect([index, await statusOf(`/images/${alteredAddress}`)]).toEqual([index, 404]);
    }
    for (const traversal of ['..%2f..%2fetc%2fpasswd', '....//', '%00', '%2e%2e%2fx', `${body}.${signature}%2f..`])
      expect([traversal, await statusOf(`/images/${traversal}`)]).toEqual([traversal, 404]);
    expect((await world.readAuditEntries(id)).filter(({ action }) => action === 'image_read')).toEqual([]);
    expect(await statusOf(address)).toBe(200);
  });

  test('image URLs signed by another key return 404, and signed URLs with a wrong tenant, transaction or image return 410', async () => {
    const [mine, other] = [await world.submitAll(), await world.submitAll()];
    const image =
      world.api.transactions.states.get(`local/${mine.id}`)?.biometrics?.[0]?.captures.selfie?.imageId ?? '';
    const imageUrl = {
      tenant: 'local',
      owner: mine.id,
      id: image,
      actor: 'x',
      expiresAt: new Date(Date.now() + 60_000),
    };
    const { keys } = world.api.dependencies;
    const otherKeys = createTestKeys(Buffer.alloc(32, 9).toString('base64'));
    expect(await statusOf(imagePath(keys, imageUrl))).toBe(200);
    expect(await statusOf(imagePath(otherKeys, imageUrl))).toBe(404);
    expect(await statusOf(imagePath(keys, { ...imageUrl, tenant: 'other' }))).toBe(410);
    expect(await statusOf(imagePath(keys, { ...imageUrl, owner: other.id }))).toBe(410);
    expect(await statusOf(imagePath(keys, { ...imageUrl, id: '../../etc/passwd' }))).toBe(410);
  });

  test('image URLs expire at expirationDateUtc', async () => {
    const { path } = await world.submitAll();
    const { selfieUrl, expirationDateUtc } = await readSelfie(path);
    const address = world.onTestHost(selfieUrl);
    const expiresAtMs = Date.parse(expirationDateUtc);
    jest.useFakeTimers({
      now: expiresAtMs - 1_000,
      advanceTimers: true,
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'],
    });
    expect((await fetch(address)).status).toBe(200);
    jest.setSystemTime(expiresAtMs + 1_000);
    const response = await fetch(address);
    expect(await response.json()).toMatchObject(problemShape('image_url_expired', 410));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('image URLs return 410 after the images were erased', async () => {
    const { path, id } = await world.submitAll();
    const { selfieUrl } = await readSelfie(path);
    const countBefore = await world.countStoredImages();
    const response = await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' });
    expect(response.status).toBe(200);
    imageErasure.parse(response.body);
    expect(await world.countStoredImages()).toBe(countBefore - 3);
    expect(await (await fetch(world.onTestHost(selfieUrl))).json()).toMatchObject(problemShape('images_erased', 410));
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(
      problemShape('images_erased', 410),
    );
    expect((await world.readAuditEntries(id)).at(-1)).toMatchObject({
      actor: 'client-of-local',
      action: 'images_erased',
      detail: { count: 3 },
    });
  });

  test('image URLs return 410 after the images expired', async () => {
    const { path } = await world.submitAll();
    const { selfieUrl } = await readSelfie(path);
    await world.api.dependencies.images.eraseExpired(new Date(Date.now() + 91 * 86_400_000), {
      limit: 10,
      logger: world.api.dependencies.logger,
    });
    expect((await fetch(world.onTestHost(selfieUrl))).status).toBe(410);
    expect((await world.api.request(`${path}/biometrics/document`)).body).toMatchObject(
      problemShape('images_erased', 410),
    );
  });
});
