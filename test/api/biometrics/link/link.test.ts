import type { ClosedReason } from '../../../../api/pages/rendered-pages';
import { ptBr } from '../../../../web/biometrics/texts/pt-br';
import { biometricsLink } from '../../../../api/biometrics/create-link';
import { currentLink } from '../../../../domain/biometrics/link';
import { person, problemShape, publicUrl } from '../../api-world';
import { buildRun } from '../../flows/page/build-run';
import { BiometricsWorld } from '../biometrics-world';
import { LinkBrowser } from './link-browser';

let world: BiometricsWorld;
beforeAll(async () => {
  world = await BiometricsWorld.open();
});
afterAll(() => world.close());

const readBiometricsStatus = async (path: string) => {
  const { body } = await world.api.request(`${path}/all`);
  return (body as { biometrics?: { status: string } }).biometrics?.status;
};

/** Makes the newest link belong to a flow run, and cancels this flow run. */
async function cancelRunOfLink(path: string): Promise<void> {
  const { states } = world.api.transactions;
  const key = `local/${path.split('/').at(-1)}`;
  const state = states.get(key);
  const link = state && currentLink(state);
  if (!state || !link) throw new Error('There is no link.');
  const run = buildRun(['pictures-only', 1], state.createdAt, [['pictures']]);
  states.set(key, { ...state, runs: [{ ...run, awaiting: { biometricsId: link.id } }] });
  const canceled = await world.api.post(`${path}/flows/runs/${run.id}/cancel`);
  expect(canceled.body).toMatchObject({ status: 'Canceled' });
}

describe('POST biometrics', () => {
  test('POST biometrics returns the fields in the order of SPEC, its URL has a token of 256 bits, and …/all shows the link', async () => {
    const { path, id } = await world.api.createTransaction();
    expect(await readBiometricsStatus(path)).toBeUndefined();
    const { status, body } = await world.api.post(`${path}/biometrics`);
    expect(status).toBe(201);
    biometricsLink.parse(body);
    expect(Object.keys(body as object)).toEqual(['id', 'url', 'identifierDate', 'createdAt']);
    expect((body as { url: string }).url).toMatch(new RegExp(`^${publicUrl}/biometrics/[\\w-]{43}$`));
    const all = (await world.api.request(`${path}/all`)).body as { biometrics: object };
    const { createdAt, identifierDate } = body as Record<string, string>;
    expect(all.biometrics).toEqual({ transactionID: id, status: 'Waiting', createdAt, identifierDate });
    expect(Object.keys(all.biometrics)).toEqual(['transactionID', 'status', 'createdAt', 'identifierDate']);
  });

  test.each([
    [{ name: 'Maria', birthdate: '1990-01-01', identifierDate: '2026-01-02T03:04:05Z' }, '1990-01-01'],
    [{ name: null, birthdate: null, identifierDate: null, channels: null }, undefined],
    [{ birthdate: '1990-01-01T00:00:00Z' }, '1990-01-01'],
    [{}, undefined],
  ])('POST biometrics accepts the body %j', async (body, birthdate) => {
    const { path } = await world.api.createTransaction();
    expect((await world.api.post(`${path}/biometrics`, { body })).status).toBe(201);
    expect(world.api.transactions.linkProposals.at(-1)?.birthdate).toBe(birthdate);
  });

  test.each(['X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-Original-URL', 'X-Rewrite-URL'])(
    'the header %s does not change the URLs that the API returns',
    async (name) => {
      const { path } = await world.submitAll();
      const headers = { [name]: name === 'Forwarded' ? 'host=evil.example;proto=http' : 'evil.example' };
      const { path: otherPath } = await world.api.createTransaction();
      const link = await world.api.post(`${otherPath}/biometrics`, { headers });
      expect((link.body as { url: string }).url).toMatch(new RegExp(`^${publicUrl}/`));
      const { body } = await world.api.request(`${path}/biometrics/selfie`, { headers });
      expect((body as { selfieUrl: string }).selfieUrl).toMatch(new RegExp(`^${publicUrl}/`));
    },
  );

  test.each([
    [{ birthdate: '1990-02-30' }, 'birthdate'],
    [{ birthdate: '2990-01-01' }, 'birthdate'],
    [{ identifierDate: '2026-01-02' }, 'identifierDate'],
    [{ name: 7 }, 'name'],
    [{ channels: ['fax'] }, 'channels.0'],
    [{ channels: ['sms', 'sms'] }, 'channels'],
  ])('POST biometrics rejects the body %j and changes nothing', async (body, field) => {
    const { path } = await world.api.createTransaction();
    const response = await world.api.post(`${path}/biometrics`, { body });
    expect(response.body).toMatchObject(problemShape('validation_failed', 400));
    expect(Object.keys((response.body as { errors: object }).errors)).toEqual([field]);
    expect(await readBiometricsStatus(path)).toBeUndefined();
  });

  test('POST biometrics returns the status of one message for each channel that has a destination', async () => {
    world.api.transactions.linkDeliveries.sms = 'failed';
    const { email: _, ...withoutEmail } = person;
    const { path } = await world.api.createTransaction(withoutEmail);
    const body = { channels: ['sms', 'email', 'whatsapp'] };
    const response = await world.api.post(`${path}/biometrics`, { body });
    expect(response.body).toMatchObject({ mfaStatus: { smsStatus: 'Failed', whatsappStatus: 'Sent' } });
    expect(Object.keys((response.body as { mfaStatus: object }).mfaStatus)).toHaveLength(2);
    delete world.api.transactions.linkDeliveries.sms;
  });

  test('a request for a link is rejected while a review is open, or too soon after a message', async () => {
    const { path } = await world.submitAll();
    expect((await world.api.post(`${path}/biometrics`)).body).toMatchObject(problemShape('biometrics_in_review', 409));
    const { path: otherPath } = await world.api.createTransaction();
    await world.api.post(`${otherPath}/biometrics`, { body: { channels: ['sms'] } });
    const repeat = await world.api.post(`${otherPath}/biometrics`, { body: { channels: ['sms'] } });
    expect(repeat.body).toMatchObject(problemShape('resend_too_soon', 429));
    expect(Number(repeat.headers.get('retry-after'))).toBeGreaterThan(50);
  });
});

describe('the hosted page', () => {
  test('the page promises a message about the decision only if the service has sent the link to the person', async () => {
    // The script of the page shows the promise as a text: see test/web/biometrics/shell.test.ts.
    const promise = '&quot;announcesMessage&quot;:true';
    const [sentLink, returnedLink] = [
      await world.createTransactionWithLink({ channels: ['sms'] }),
      await world.createTransactionWithLink(),
    ];
    expect((await sentLink.browser.request('')).body['text']).toContain(promise);
    expect((await returnedLink.browser.request('')).body['text']).not.toContain(promise);
  });

  test('the status of a link changes from Waiting to InProgress to Processing, and /all shows each status', async () => {
    const { path, browser } = await world.createTransactionWithLink();
    const statuses = [await readBiometricsStatus(path)];
    expect((await browser.request('')).status).toBe(200);
    expect((await browser.readSession()).body).toMatchObject({ status: 'Waiting', owner: 'nobody', consented: false });
    statuses.push(await readBiometricsStatus(path));
    expect((await browser.post('/open')).body).toMatchObject({ status: 'InProgress', owner: 'you' });
    statuses.push(await readBiometricsStatus(path));
    expect((await browser.post('/consent')).body).toMatchObject({ consented: true });
    for (const kind of ['documentFront', 'documentBack', 'selfie'])
      expect((await browser.upload(kind, world.image)).body).toMatchObject({ done: true });
    expect((await browser.readSession()).body).toMatchObject({
      captures: { documentFront: true, documentBack: true, selfie: true },
    });
    expect((await browser.post('/submit')).body).toMatchObject({ status: 'Processing', owner: 'you' });
    statuses.push(await readBiometricsStatus(path));
    expect(statuses).toEqual(['Waiting', 'Waiting', 'InProgress', 'Processing']);
  });

  test('scripts and other paths do not get the cookie of the page, and only POST …/open makes a browser the owner', async () => {
    const { browser } = await world.createTransactionWithLink();
    const pageResponse = await browser.request('');
    const token = new URL(browser.address).pathname;
    expect(pageResponse.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^countersign_link=[\\w-]{43};.*Path=${token};.*HttpOnly; Secure; SameSite=Lax$`),
      ),
    ]);
    const otherBrowser = new LinkBrowser(browser.address);
    expect((await otherBrowser.readSession()).body).toMatchObject({ owner: 'nobody' });
    expect((await otherBrowser.post('/open')).status).toBe(200);
    expect((await browser.readSession()).body).toMatchObject({ owner: 'other' });
  });

  test('the hosted page returns 403 without data to a browser that does not own the link', async () => {
    const { browser } = await world.captureAll();
    const otherBrowser = new LinkBrowser(browser.address);
    expect((await otherBrowser.readSession()).body).toMatchObject({
      owner: 'other',
      consented: false,
      captures: { selfie: false },
    });
    expect((await otherBrowser.request('')).status).toBe(403);
    expect((await otherBrowser.request('/qr.svg')).status).toBe(404);
    for (const path of ['/open', '/consent', '/submit'])
      expect((await otherBrowser.post(path)).body).toMatchObject(problemShape('link_taken', 403));
    expect((await otherBrowser.upload('selfie', world.image)).body).toMatchObject(problemShape('link_taken', 403));
    const chunk = await otherBrowser.sendChunk('/captures/selfie/00000000-0000-4000-8000-000000000000', 0, world.image);
    expect(chunk.body).toMatchObject(problemShape('link_taken', 403));
  });

  test('a browser without a cookie cannot own a link', async () => {
    const { browser } = await world.createTransactionWithLink();
    const withoutCookie = await fetch(`${browser.address}/open`, { method: 'POST' });
    expect(await withoutCookie.json()).toMatchObject(problemShape('cookie_missing', 403));
    expect(withoutCookie.headers.getSetCookie()).toEqual([]);
    await browser.readSession();
    expect((await browser.post('/open')).body).toMatchObject({ owner: 'you' });
    expect(await (await fetch(`${browser.address}/open`, { method: 'POST' })).json()).toMatchObject({
      code: 'link_taken',
    });
  });

  test('a repeated request to open the link or to consent does not change the transaction', async () => {
    const { browser, id } = await world.createTransactionWithLink();
    await browser.openAndConsent();
    const state = world.api.transactions.states.get(`local/${id}`);
    for (const path of ['/open', '/consent', '/open']) expect((await browser.post(path)).status).toBe(200);
    expect(world.api.transactions.states.get(`local/${id}`)).toBe(state);
  });

  test('if a browser sends the same action twice, both commands have the same value in `deduplicateBy`, so they count as one', async () => {
    const { browser } = await world.createTransactionWithLink();
    await browser.readSession();
    const send = jest.spyOn(world.api.transactions, 'send');
    for (const path of ['/open', '/open', '/consent']) await browser.post(path);
    const [first, repeat, other] = send.mock.calls.map(([, , { deduplicateBy }]) => deduplicateBy);
    send.mockRestore();
    expect(first).toMatchObject([{ action: 'open' }]);
    expect(repeat).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('the hosted page shows the decision only to the owner of the link', async () => {
    const { browser, linkId } = await world.submitAll();
    await world.api.post(`/v1/reviews/${linkId}/decision`, {
      body: { status: 'Rejected', reason: 'not the same face' },
    });
    expect((await browser.readSession()).body).toMatchObject({ status: 'Rejected', owner: 'you' });
    const otherBrowser = new LinkBrowser(browser.address);
    expect((await otherBrowser.readSession()).body).toMatchObject({ status: 'Processing', owner: 'other' });
  });

  test('the owner of a link can open it again after a lost response', async () => {
    const { browser } = await world.createTransactionWithLink();
    await browser.request('');
    await browser.post('/open');
    expect((await browser.post('/open')).body).toMatchObject({ owner: 'you' });
  });

  test('the hosted page rejects images before the consent, and a submission before all images', async () => {
    const { browser } = await world.createTransactionWithLink();
    await browser.readSession();
    await browser.post('/open');
    expect((await browser.upload('selfie', world.image)).body).toMatchObject(problemShape('consent_missing', 422));
    await browser.post('/consent');
    expect((await browser.post('/submit')).body).toMatchObject({
      ...problemShape('captures_missing', 422),
      missing: ['documentFront', 'documentBack', 'selfie'],
    });
  });

  test.each<[string, (path: string) => Promise<void>, string, ClosedReason]>([
    ['a newer link is created', async (path: string) => void (await world.createLink(path)), 'Canceled', 'canceled'],
    [
      'its images are erased',
      async (path: string) => void (await world.api.request(`${path}/biometrics/images`, { method: 'DELETE' })),
      'Canceled',
      'erased',
    ],
    ['its flow run is canceled', cancelRunOfLink, 'Canceled', 'ended'],
    ['it expires', async () => void (world.api.transactions.clockOffsetMs = 25 * 3_600_000), 'Abandoned', 'expired'],
  ])('a link cannot be used any more if %s', async (_, close, linkStatus, closedReason) => {
    const { path, browser } = await world.captureAll();
    await close(path);
    const page = await browser.request('');
    expect([page.status, page.body['text']]).toEqual([410, expect.stringContaining(ptBr.closed[closedReason].heading)]);
    const reason = closedReason === 'erased' || closedReason === 'ended' ? { reason: closedReason } : {};
    const closedProblem = { ...problemShape('link_closed', 410), linkStatus, ...reason };
    for (const response of [
      await browser.readSession(),
      await browser.post('/consent'),
      await browser.upload('selfie', world.image),
      await browser.post('/submit'),
    ])
      expect(response.body).toEqual(closedProblem);
    world.api.transactions.clockOffsetMs = 0;
  });

  test('the page of an older link mentions the newer link, even if the older link was canceled together with its flow run', async () => {
    const { path, browser } = await world.captureAll();
    await cancelRunOfLink(path);
    await world.createLink(path);
    const page = await browser.request('');
    expect(page.body['text']).toContain(ptBr.closed.canceled.heading);
    expect((await browser.readSession()).body).toEqual({ ...problemShape('link_closed', 410), linkStatus: 'Canceled' });
  });

  test('the hosted page returns 404 for an unknown link', async () => {
    for (const token of ['x', 'A'.repeat(43), '..%2f..%2fetc%2fpasswd', `${'A'.repeat(42)}%00`]) {
      const unknownLink = new LinkBrowser(`${world.api.address}/biometrics/${token}`);
      expect([token, (await unknownLink.request('')).status, (await unknownLink.readSession()).status]).toEqual([
        token,
        404,
        404,
      ]);
    }
  });

  test('the page has a QR code until a browser opens the link', async () => {
    const { browser } = await world.createTransactionWithLink();
    const { status, headers, body } = await browser.request('/qr.svg');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(body['text']).toMatch(/^<svg/);
    await browser.post('/open');
    expect((await browser.request('/qr.svg')).status).toBe(404);
  });
});
