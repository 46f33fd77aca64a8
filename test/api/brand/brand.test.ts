import sharp from 'sharp';
import { setTimeout as sleep } from 'node:timers/promises';
import { Brands } from '../../../api/brand/brands';
import { inTransaction } from '../../../platform/postgres/postgres';
import { lockBrand, putBrand as saveBrand } from '../../../store/brands/brands.sql';
import { readAuditEntries } from '../../../platform/audit';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { waitUntil } from '../../support/wait-until';
import { noiseImage, plainImage, pngChunk } from '../../images/test-images';
import { ApiWorld, person, problemShape, publicUrl } from '../api-world';

let postgres: TestPostgres;
let world: ApiWorld;
const tokens = new Map<string, string>();
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const limits = JSON.stringify({ shop: { linkDomains: ['shop.example'] } });
  world = await ApiWorld.open({ DATABASE_URL: databaseUrl, BRAND: 'Verify', SENDING_LIMITS: limits });
});
afterAll(async () => {
  await world.close();
  await postgres.stop();
});

const tokenOf = async (tenant: string) => {
  const token = tokens.get(tenant) ?? (await world.issueToken(tenant));
  tokens.set(tenant, token);
  return token;
};

const read = async (tenant: string) => world.request('/v1/brand', { token: await tokenOf(tenant) });
const put = async (tenant: string, body: object, headers: Record<string, string> = {}) =>
  world.request('/v1/brand', { method: 'PUT', body, headers, token: await tokenOf(tenant) });
const putLogo = async (tenant: string, image: Buffer) =>
  world.request('/v1/brand/logo', {
    method: 'PUT',
    body: { image: image.toString('base64') },
    token: await tokenOf(tenant),
  });

const acme = {
  name: 'Acme',
  colors: { main: '#1a4f8a' },
  supportUrl: 'mailto:help@acme.example',
  languages: ['es', 'en'],
  smsAutofill: { domain: 'login.acme.example', androidHash: 'FA+9qCX9VSu' },
};

const issuesOf = ({ body }: { body: unknown }) => (body as { errors?: Record<string, string[]> }).errors;

test('a tenant without a brand has the brand of the service', async () => {
  expect(await read('nobody')).toMatchObject({
    status: 200,
    body: { name: 'Verify', languages: ['pt-BR', 'en', 'es'], source: 'service', version: 0 },
  });
});

test('a brand is replaced as a whole, and each change is in the audit log', async () => {
  const first = await put('acme', acme);
  expect(first).toMatchObject({
    status: 200,
    body: { ...acme, source: 'tenant', version: 1, changedBy: 'client-of-acme' },
  });
  expect((await read('acme')).body).toEqual(first.body);
  expect((await put('acme', acme)).body).toEqual(first.body);
  const second = await put('acme', { name: 'Acme 2', languages: ['en'] });
  expect(second.body).toMatchObject({ name: 'Acme 2', version: 2 });
  expect(second.body).not.toHaveProperty('colors');
  const entries = await readAuditEntries(world.dependencies.pool, { tenant: 'acme', owner: 'brand' }, 10);
  expect(entries.map(({ action, actor, detail }) => [action, actor, detail])).toEqual([
    ['brand_changed', 'client-of-acme', { version: 2 }],
    ['brand_changed', 'client-of-acme', { version: 1 }],
  ]);
});

test('a change waits for another change of the same tenant, and then sees its version', async () => {
  const { pool } = world.dependencies;
  let second: Promise<number | undefined> | undefined;
  await inTransaction(pool, async (client) => {
    await lockBrand(client, 'waits');
    second = inTransaction(pool, async (other) => (await lockBrand(other, 'waits'))?.version);
    // Long enough for the second change to read the brand, if it did not wait.
    await sleep(300);
    await saveBrand(client, 'waits', { name: 'First', languages: ['en'] }, 'test');
  });
  expect(await second).toBe(1);
});

test('of many changes of the same version at once, one is saved and the others are rejected', async () => {
  const attempts = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      put('race', { name: `Name ${index}`, languages: ['en'] }, { 'If-Match': '"0"' }),
    ),
  );
  expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(attempts.filter(({ status }) => status === 412)).toHaveLength(7);
  expect(attempts.find(({ status }) => status === 412)?.body).toMatchObject(problemShape('brand_changed', 412));
  expect((await put('race', { name: 'Three', languages: ['en'] }, { 'If-Match': '"1"' })).status).toBe(200);
  expect(issuesOf(await put('race', acme, { 'If-Match': '*' }))).toHaveProperty('If-Match');
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(41) }, 'name'],
  [{ name: 'Two\nlines' }, 'name'],
  [{ name: 'Acme\r\nBcc: x@example.com' }, 'name'],
  [{ name: 'Code {{code}}' }, 'name'],
  [{ name: '</style><script>' }, 'name'],
  [{ name: 'Pay at evil.com/now' }, 'name'],
  [{ name: 'Acme\u202Egnp' }, 'name'],
  [{ colors: { main: '#ffd400' } }, 'colors.main'],
  [{ colors: { main: 'red;}' } }, 'colors.main'],
  [{ colors: { main: '#1a4f8a', other: '#1a4f8a' } }, 'colors.other'],
  [{ supportUrl: 'http://acme.example' }, 'supportUrl'],
  [{ supportUrl: 'javascript:alert(1)' }, 'supportUrl'],
  [{ supportUrl: 'mailto:a@acme.example?bcc=b@acme.example' }, 'supportUrl'],
  [{ supportUrl: 'https://user:secret@acme.example' }, 'supportUrl'],
  [{ languages: [] }, 'languages'],
  [{ languages: ['en', 'en'] }, 'languages'],
  [{ languages: ['fr'] }, 'languages.0'],
  [{ smsAutofill: { domain: 'https://acme.example' } }, 'smsAutofill.domain'],
  [{ smsAutofill: { domain: 'acme.example\n@evil.com' } }, 'smsAutofill.domain'],
  [{ smsAutofill: { androidHash: 'too short' } }, 'smsAutofill.androidHash'],
  [{ logo: 'x' }, 'logo'],
])('%j is rejected at the field %s', async (change, field) => {
  const answer = await put('strict', { ...acme, ...change });
  expect(answer.status).toBe(400);
  expect(Object.keys(issuesOf(answer) ?? {})).toEqual([field]);
  expect((await read('strict')).body).toMatchObject({ source: 'service' });
});

test('a name may be a domain that the operator allows for the tenant', async () => {
  expect((await put('shop', { name: 'shop.example', languages: ['en'] })).status).toBe(200);
});

test('a check returns colors and SMS texts with their segments, and saves nothing', async () => {
  const check = async (body: object) =>
    world.post('/v1/brand/check', { body, token: await world.issueToken('checker', ['brand:read']) });
  const { status, body } = await check(acme);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    colors: { light: { strong: '#1a4f8a', onStrong: '#ffffff' }, dark: { onStrong: '#000000' } },
    smsTexts: [
      { language: 'es', segments: 1, alphabet: 'gsm' },
      { language: 'en', segments: 1, alphabet: 'gsm' },
    ],
  });
  expect((body as { smsTexts: { text: string }[] }).smsTexts[1]?.text).toMatch(
    /^Acme: your code is 481516\. .*\nFA\+9qCX9VSu\n@login\.acme\.example #481516$/s,
  );
  expect(issuesOf(await check({ ...acme, name: 'evil.com' }))).toHaveProperty('name');
  expect((await read('checker')).body).toMatchObject({ source: 'service' });
});

test('a brand of one tenant is neither read nor changed by another', async () => {
  await put('first', { name: 'First', languages: ['en'] });
  await put('second', { name: 'Second', languages: ['en'] });
  await putLogo('first', await plainImage(20, 10).png().toBuffer());
  expect((await read('second')).body).not.toHaveProperty('logo');
  expect(await world.dependencies.brands.of('second')).toMatchObject({ name: 'Second' });
  expect(await world.dependencies.brands.of('first')).toMatchObject({ name: 'First' });
});

describe('a logo', () => {
  beforeAll(async () => {
    await put('pictures', { name: 'Pictures', languages: ['en'] });
  });

  const load = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${world.address}${path}`, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  const logoPathOf = ({ body }: { body: unknown }) => {
    const { logo } = body as { logo: { url: string } };
    expect(logo.url.startsWith(`${publicUrl}/brands/`)).toBe(true);
    return logo.url.slice(publicUrl.length);
  };

  test.each([
    ['PNG', () => plainImage(600, 100).png().toBuffer()],
    ['JPEG', () => noiseImage(120, 40)],
    ['WebP', () => plainImage(600, 100).webp().toBuffer()],
  ])('as %s becomes a new PNG that everybody can load and cache', async (_format, create) => {
    const answer = await putLogo('pictures', await create());
    expect(answer.status).toBe(200);
    const path = logoPathOf(answer);
    expect(path).not.toContain('pictures');
    const { response, bytes } = await load(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const { format, width, height } = await sharp(bytes).metadata();
    expect([format, width <= 480, height <= 160]).toEqual(['png', true, true]);
    // By default, fetch adds `no-cache` to a conditional request.
    const conditional = { 'if-none-match': response.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const again = await load(path, conditional);
    expect(again.response.status).toBe(304);
  });

  test('keeps transparent pixels, and nothing else of the file', async () => {
    const secret = 'text in a chunk of the file';
    const png = await sharp({ create: { width: 20, height: 10, channels: 4, background: '#ff000000' } })
      .png()
      .toBuffer();
    const end = png.length - 12;
    const hostile = Buffer.concat([
      png.subarray(0, end),
      pngChunk('tEXt', Buffer.from(`a\0${secret}`)),
      png.subarray(end),
      Buffer.from('<script>alert(1)</script>'),
    ]);
    const { bytes } = await load(logoPathOf(await putLogo('pictures', hostile)));
    expect((await sharp(bytes).metadata()).hasAlpha).toBe(true);
    expect(bytes.includes(secret)).toBe(false);
    expect(bytes.includes('<script>')).toBe(false);
  });

  const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, string, () => Buffer | Promise<Buffer>]>([
    ['SVG', 'not SVG', () => Buffer.from(svg)],
    ['HTML', 'must be a PNG, JPEG or WebP', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a broken PNG', 'is damaged', async () => (await plainImage(9, 9).png().toBuffer()).subarray(0, 60)],
    ['too many pixels', 'at most 4 million pixels', () => plainImage(3_000, 3_000).png().toBuffer()],
    [
      'an animation',
      'must not be animated',
      async () => {
        const frames = Buffer.concat([Buffer.alloc(300, 1), Buffer.alloc(300, 200)]);
        return sharp(frames, { raw: { width: 10, height: 20, channels: 3, pageHeight: 10 } as never })
          .webp()
          .toBuffer();
      },
    ],
    ['more than 64 KB', 'at most 64 KB', () => noiseImage(400, 400, 100)],
  ])('with %s is rejected', async (_case, issue, create) => {
    const answer = await putLogo('pictures', await create());
    expect(answer.status === 400 || answer.status === 413).toBe(true);
    if (answer.status === 400) expect(issuesOf(answer)?.['image']?.join()).toContain(issue);
  });

  test('can be removed, and needs a brand', async () => {
    expect(await putLogo('without', await plainImage(9, 9).png().toBuffer())).toMatchObject({
      status: 404,
      body: problemShape('brand_not_set', 404),
    });
    const path = logoPathOf(await putLogo('pictures', await plainImage(9, 9).png().toBuffer()));
    expect((await load(path)).response.status).toBe(200);
    const removed = await world.request('/v1/brand/logo', { method: 'DELETE', token: await tokenOf('pictures') });
    expect(removed.status).toBe(200);
    expect(removed.body).not.toHaveProperty('logo');
    expect((await load(path)).response.status).toBe(404);
    expect((await load('/brands/pictures/logo')).response.status).toBe(404);
  });
});

describe('a message', () => {
  const requestOf = async (tenant: string, locale: string, endpoint: string) => {
    const token = await tokenOf(tenant);
    const { id, path } = await world.createTransaction({ ...person, genericFields: { locale } }, token);
    const { status } = await world.post(`${path}/${endpoint}`, { token });
    expect(status).toBe(201);
    return world.transactions.states.get(`${tenant}/${id}`)?.confirmations.at(-1);
  };

  beforeAll(async () => {
    await put('texts', { ...acme, languages: ['es', 'pt-BR'] });
  });

  test('has the name, the default language for a locale that is not chosen, and the autofill lines', async () => {
    const code = await requestOf('texts', 'en-US', 'sms/tokens');
    expect(code?.language).toBe('es');
    expect(code?.settings.message.es.body).toMatch(/^Acme: .*\nFA\+9qCX9VSu\n@login\.acme\.example #{{code}}$/s);
    expect((await requestOf('texts', 'pt', 'sms/tokens'))?.language).toBe('pt-BR');
    const question = await requestOf('texts', 'es', 'sms/2fa');
    expect(question?.settings.message.es.body).not.toContain('@login.acme.example');
  });

  test('by e-mail keeps what the mail shows, and nothing of it without a brand', async () => {
    const mail = await requestOf('texts', 'es', 'emails/tokens');
    expect(mail?.settings.brand).toEqual({
      name: 'Acme',
      mainColor: '#1a4f8a',
      supportUrl: 'mailto:help@acme.example',
    });
    const other = await requestOf('nobody', 'en', 'emails/tokens');
    expect(other).toMatchObject({ language: 'en', settings: { message: { en: { subject: 'Your Verify code' } } } });
    expect(other?.settings).not.toHaveProperty('brand');
  });

  test('with a biometrics link has the brand too', async () => {
    const token = await tokenOf('texts');
    const { path } = await world.createTransaction({ ...person, genericFields: { locale: 'en' } }, token);
    await world.post(`${path}/biometrics`, { body: { channels: ['email', 'sms'] }, token });
    const proposal = world.transactions.linkProposals.at(-1);
    expect(proposal).toMatchObject({ language: 'es', languages: ['es', 'pt-BR'], brand: { name: 'Acme' } });
    expect(proposal?.messages.sms?.es.body).toMatch(/^Acme: /);
  });
});

test('another process uses a changed brand within seconds', async () => {
  await put('slow', { name: 'Before', languages: ['en'] });
  const other = new Brands(world.dependencies.pool, world.dependencies.config);
  expect(await other.of('slow')).toMatchObject({ name: 'Before' });
  await put('slow', { name: 'After', languages: ['en'] });
  await waitUntil(async () => (await other.of('slow')).name === 'After');
});

test('while Postgres does not answer or is slow, the brand that was read before is used', async () => {
  await put('outage', { name: 'Known', languages: ['en'] });
  const { pool, config } = world.dependencies;
  const freshMs = 20;
  const brands = new Brands(pool, config, freshMs);
  await brands.of('outage');
  const query = jest.spyOn(pool, 'query' as never);
  try {
    query.mockRejectedValue(new Error('Connection terminated') as never);
    await sleep(2 * freshMs);
    expect(await brands.of('outage')).toMatchObject({ name: 'Known' });
    expect(query).toHaveBeenCalledTimes(1);
    await expect(brands.of('never read')).rejects.toThrow('Connection terminated');
    query.mockReturnValue(new Promise(() => {}) as never);
    await sleep(2 * freshMs);
    expect(await brands.of('outage')).toMatchObject({ name: 'Known' });
  } finally {
    query.mockRestore();
  }
});
