import sharp from 'sharp';
import * as responses from '../../../api/biometrics/responses';
import { deriveKeys } from '../../../platform/keys';
import { imagePath } from '../../../platform/images/image-links';
import { problemShape } from '../api-world';
import { BiometricsWorld } from './biometrics-world';
import * as httpAnswers from '../../../api/http/response-fields';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(() => world.close());
afterEach(() => {
  jest.useRealTimers();
});

const document = async (path: string) =>
  responses.documentAddresses.parse((await world.api.request(`${path}/biometrics/document`)).body);
const selfie = async (path: string) =>
  responses.selfieAddress.parse((await world.api.request(`${path}/biometrics/selfie`)).body);

describe('GET biometrics/document and /selfie', () => {
  test('return the URLs of SPEC in its order, new for each request, valid for five minutes', async () => {
    const { path } = await world.submitAll();
    const startedAt = Date.now();
    const [first, face] = [await document(path), await selfie(path)];
    expect(Object.keys(first)).toEqual(['documentFrontUrl', 'documentBackUrl', 'expirationDateUtc']);
    expect(Object.keys(face)).toEqual(['selfieUrl', 'expirationDateUtc']);
    const lifeMs = Date.parse(first.expirationDateUtc) - startedAt;
    expect(lifeMs).toBeGreaterThanOrEqual(300_000);
    expect(lifeMs).toBeLessThan(302_000);
    expect((await document(path)).documentFrontUrl).not.toBe(first.documentFrontUrl);
    for (const url of [first.documentFrontUrl, first.documentBackUrl, face.selfieUrl]) {
      const served = await fetch(world.onTestHost(url));
      expect(served.status).toBe(200);
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({
        width: 900,
        height: 700,
      });
    }
  });

  test('return 404 before the captures, and for another tenant', async () => {
    const { path, browser } = await world.createTransactionWithLink();
    const missing = problemShape('biometrics_not_found', 404);
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(missing);
    await browser.openAndConsent();
    await browser.upload('selfie', world.image);
    // Captured but not submitted: callers cannot see it yet.
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(missing);
    const { path: full } = await world.submitAll();
    const token = await world.api.tokenOf('other');
    expect((await world.api.request(`${full}/biometrics/document`, { token })).status).toBe(404);
  });

  test('need the scope biometrics:images', async () => {
    const { path } = await world.createTransactionWithLink();
    const token = await world.api.tokenOf('local', ['biometrics:link', 'transaction:read']);
    expect((await world.api.request(`${path}/biometrics/selfie`, { token })).body).toMatchObject(
      problemShape('insufficient_scope', 403),
    );
  });

  test('requests and accesses are recorded in the audit log', async () => {
    const { path, id } = await world.submitAll();
    const { selfieUrl } = await selfie(path);
    await (await fetch(world.onTestHost(selfieUrl))).arrayBuffer();
    expect((await world.audit(id)).map(({ actor, action }) => [actor, action])).toEqual([
      ['client-of-local', 'image_addresses_given'],
      ['client-of-local', 'image_read'],
    ]);
    const { body } = await world.api.request(`${path}/biometrics/audit`);
    expect(
      httpAnswers.auditEntry
        .array()
        .parse(body)
        .map(({ action }) => action),
    ).toEqual(['image_read', 'image_addresses_given']);
  });
});

describe('signed addresses', () => {
  const statusOf = async (path: string) => (await fetch(`${world.api.address}${path}`)).status;

  test('are rejected when they were altered', async () => {
    const { path, id } = await world.submitAll();
    const address = new URL((await selfie(path)).selfieUrl).pathname;
    const [body = '', signature = ''] = address.slice('/images/'.length).split('.');
    const [tenant, owner, image, expiresAtMs, actor] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
      string,
      string,
      string,
      number,
      string,
    ];
    const sealed = (content: unknown[]) => Buffer.from(JSON.stringify(content)).toString('base64url');
    const others = [
      ['later', sealed([tenant, owner, image, expiresAtMs + 1, actor]), signature],
      ['another tenant', sealed(['other', owner, image, expiresAtMs, actor]), signature],
      ['another client', sealed([tenant, owner, image, expiresAtMs, 'somebody']), signature],
      ['a missing signature', body, ''],
      ['a short signature', body, signature.slice(0, -1)],
      ['a longer one', body, `${signature}A`],
      ['the signature twice', `${body}.${signature}`, signature],
      ['traversal', sealed([tenant, '..', '../../../etc/passwd', expiresAtMs, actor]), signature],
    ] as const;
    for (const [name, changed, signed] of others)
      expect([name, await statusOf(`/images/${changed}.${signed}`)]).toEqual([name, 404]);
    for (let at = 0; at < body.length + signature.length + 1; at += 7) {
      const whole = `${body}.${signature}`;
      const flipped = `${whole.slice(0, at)}${whole[at] === 'x' ? 'y' : 'x'}${whole.slice(at + 1)}`;
      expect([at, await statusOf(`/images/${flipped}`)]).toEqual([at, 404]);
    }
    for (const traversal of ['..%2f..%2fetc%2fpasswd', '....//', '%00', '%2e%2e', `${body}.${signature}%2f..`])
      expect([traversal, await statusOf(`/images/${traversal}`)]).toEqual([traversal, 404]);
    expect((await world.audit(id)).filter(({ action }) => action === 'image_read')).toEqual([]);
    expect(await statusOf(address)).toBe(200);
  });

  test('are rejected with another key, and for another owner with a valid signature', async () => {
    const [mine, other] = [await world.submitAll(), await world.submitAll()];
    const image =
      world.api.transactions.states.get(`local/${mine.id}`)?.biometrics?.[0]?.captures.selfie?.imageId ?? '';
    const target = { tenant: 'local', owner: mine.id, id: image, actor: 'x', expiresAt: new Date(Date.now() + 60_000) };
    const { keys } = world.api.dependencies;
    const foreign = deriveKeys(Buffer.alloc(32, 9).toString('base64'));
    expect(await statusOf(imagePath(keys, target))).toBe(200);
    expect(await statusOf(imagePath(foreign, target))).toBe(404);
    expect(await statusOf(imagePath(keys, { ...target, tenant: 'other' }))).toBe(410);
    expect(await statusOf(imagePath(keys, { ...target, owner: other.id }))).toBe(410);
    expect(await statusOf(imagePath(keys, { ...target, id: '../../etc/passwd' }))).toBe(410);
  });

  test('expire exactly at their time', async () => {
    const { path } = await world.submitAll();
    const { selfieUrl, expirationDateUtc } = await selfie(path);
    const address = world.onTestHost(selfieUrl);
    const end = Date.parse(expirationDateUtc);
    jest.useFakeTimers({
      now: end - 1_000,
      advanceTimers: true,
      doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'],
    });
    expect((await fetch(address)).status).toBe(200);
    jest.setSystemTime(end + 1_000);
    const response = await fetch(address);
    expect(await response.json()).toMatchObject(problemShape('image_link_expired', 410));
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('return 410 after the images were erased', async () => {
    const { path, id } = await world.submitAll();
    const { selfieUrl } = await selfie(path);
    const stored = await world.countStoredImages();
    const response = await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' });
    expect(response.status).toBe(200);
    responses.erased.parse(response.body);
    expect(await world.countStoredImages()).toBe(stored - 3);
    expect(await (await fetch(world.onTestHost(selfieUrl))).json()).toMatchObject(problemShape('images_erased', 410));
    expect((await world.api.request(`${path}/biometrics/selfie`)).body).toMatchObject(
      problemShape('images_erased', 410),
    );
    expect((await world.audit(id)).at(-1)).toMatchObject({
      actor: 'client-of-local',
      action: 'images_erased',
      detail: { count: 3 },
    });
  });

  test('return 410 for expired images', async () => {
    const { path } = await world.submitAll();
    const { selfieUrl } = await selfie(path);
    await world.api.dependencies.images.eraseDue(new Date(Date.now() + 91 * 86_400_000), 10);
    expect((await fetch(world.onTestHost(selfieUrl))).status).toBe(410);
    expect((await world.api.request(`${path}/biometrics/document`)).body).toMatchObject(
      problemShape('images_erased', 410),
    );
  });
});
