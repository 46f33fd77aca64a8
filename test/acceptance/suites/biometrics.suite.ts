import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import { LinkBrowser } from '../../api/biometrics/link-browser';
import { noise } from '../../platform/images/pictures';
import type { Running } from '../support/acceptance-stack';
import type { All } from '../support/api-client';
import type { StandInVerifier } from '../support/face-verifier';
import { newPerson } from '../support/new-person';
import { until } from '../support/until';

const imageLinkSeconds = 6;

/** Short addresses for all; the second tenant leaves what is clear to its face verifier. */
export const biometricsSettings = {
  default: { imageLinkSeconds },
  other: { facePolicy: { approve: { similarity: 0.9, liveness: 0.9 } } },
};

/** What opened links and images while these tests ran: no log may hold it. */
export const givenSecrets: string[] = [];
const given = (address: string) => givenSecrets.push(address.split(/[/.]/).at(-1) ?? address);

interface Secrets {
  clients: { tenant: string; clientId: string; clientSecret: string }[];
}

interface Link {
  id: string;
  url: string;
  mfaStatus?: Record<string, string>;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();

/** One picture by camera, from its first screen to its upload. */
async function shoot(page: Page, name: string): Promise<void> {
  await heading(page, name);
  await press(page, 'Abrir a câmera');
  await press(page, 'Tirar a foto');
  await press(page, 'Usar esta foto');
}

/** SPEC endpoints 15 to 17 and the flow behind them: a person with a telephone, a reviewer, and a caller. */
export function describeBiometrics(running: Running, verifier: StandInVerifier): void {
  describe('biometrics', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser({ camera: 'allowed' });
    }, 30_000);
    afterAll(() => browser.close());

    /** A telephone, with cookies of its own. */
    const telephone = async () => {
      const context = await browser.newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        locale: 'pt-BR',
      });
      return context.newPage();
    };
    const begin = async (body: object = {}) => {
      const person = newPerson();
      const path = await running().api.begin(person.body);
      const { status, body: link } = await running().api.post(`${path}/biometrics`, { body });
      expect(status).toBe(201);
      given((link as Link).url);
      return { path, link: link as Link, ...person };
    };
    const statusOf = async (path: string) => (await running().api.all(path)).biometrics?.status;
    const walk = async (page: Page) => {
      await page.getByRole('checkbox').check();
      await press(page, 'Concordar e continuar');
      await shoot(page, 'Frente do documento');
      await shoot(page, 'Verso do documento');
      await shoot(page, 'Uma foto do seu rosto');
      await page.locator('main[data-screen=done]').waitFor();
    };

    /** Decides on the page of the reviewers, as the client of the local stack. */
    const review = async (linkId: string, choice: string, reason: string) => {
      const { api, stack } = running();
      const secrets = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Secrets;
      const client = secrets.clients.find(({ tenant }) => tenant === 'local');
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${api.address}/reviews#/reviews/${linkId}`);
      await page.getByLabel('Client id').fill(client?.clientId ?? '');
      await page.getByLabel('Client secret').fill(client?.clientSecret ?? '');
      await press(page, 'Sign in');
      await page.getByRole('heading', { level: 1, name: /^Review of/ }).waitFor();
      const loaded = () => page.evaluate('[...document.images].filter((image) => image.naturalWidth > 300).length');
      await until(async () => (await loaded()) === 3);
      await page.getByRole('radio', { name: choice }).check();
      await page.getByLabel('Reason', { exact: true }).fill(reason);
      await page.getByRole('button', { name: choice, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: /^Review of/ }).waitFor({ state: 'detached' });
      await context.close();
    };

    /** The decision as the history of the transaction has it. */
    const decisionIn = async (path: string) => {
      const connection = await Connection.connect({ address: running().stack.addresses.temporal });
      const id = `transaction/local/${path.split('/').at(-1)}`;
      const { events } = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
      await connection.close();
      const requests = (events ?? []).map(
        (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest,
      );
      const asked = requests.find((request) => request?.input?.name === 'decideBiometrics');
      return JSON.parse(Buffer.from(asked?.input?.args?.payloads?.[0]?.data ?? '{}').toString()) as object;
    };

    it('leads a person from the link to the end, and a reviewer to the decision; images can be had, and then not', async () => {
      const { api } = running();
      const { path, link } = await begin({ name: 'Maria da Silva', birthdate: '1990-01-01' });
      const seen = [await statusOf(path)];
      const page = await telephone();
      await page.goto(link.url);
      await page.getByRole('checkbox').waitFor();
      seen.push(await statusOf(path));
      // Nothing may be looked at before it was taken.
      expect((await api.get(`${path}/biometrics/document`)).status).toBe(404);

      const second = await telephone();
      await second.goto(link.url);
      await second.locator('main[data-screen=closed]').waitFor();
      expect((await second.goto(link.url))?.status()).toBe(403);

      await walk(page);
      seen.push(await statusOf(path));
      expect((await second.goto(link.url))?.status()).toBe(410);
      await second.context().close();

      const reviews = (await api.get('/v1/reviews?limit=100')).body as {
        reviews: { id: string; findings: object[] }[];
      };
      expect(reviews.reviews.map(({ id }) => id)).toContain(link.id);
      await review(link.id, 'Approve', 'The face is that of the document.');
      seen.push(await statusOf(path));
      expect(await decisionIn(path)).toMatchObject({ by: 'local', status: 'Approved' });
      expect(seen).toEqual(['Waiting', 'InProgress', 'Processing', 'Approved']);
      expect((await api.all(path)).scores.at(-1)?.reason).toBe('BiometricsChecked');

      const document = (await api.get(`${path}/biometrics/document`)).body as Record<string, string>;
      const face = (await api.get(`${path}/biometrics/selfie`)).body as Record<string, string>;
      const addresses = [document['documentFrontUrl'], document['documentBackUrl'], face['selfieUrl']].map(String);
      for (const address of addresses) {
        given(address);
        const image = await fetch(address);
        expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
        const bytes = Buffer.from(await image.arrayBuffer());
        expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      }
      await pause(Date.parse(String(face['expirationDateUtc'])) - Date.now() + 50);
      for (const address of addresses) expect((await fetch(address)).status).toBe(410);
      await page.context().close();
    });

    it('erases all images at once, and tells it in the audit log', async () => {
      const { api, stack } = running();
      const images = join(stack.dataDir, 'images');
      const files = () =>
        readdirSync(images, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
      const { path, link } = await begin();
      const page = await telephone();
      await page.goto(link.url);
      await walk(page);
      const before = files();
      const { selfieUrl = '' } = (await api.get(`${path}/biometrics/selfie`)).body as { selfieUrl?: string };
      expect((await api.ask('DELETE', `${path}/biometrics/images`)).status).toBe(200);
      expect(files()).toBe(before - 3);
      expect(await statusOf(path)).toBe('Canceled');
      expect((await fetch(selfieUrl)).status).toBe(410);
      const audit = (await api.get(`${path}/biometrics/audit`)).body as {
        action: string;
        actor: string;
        detail: object;
      }[];
      expect(audit[0]).toMatchObject({ action: 'images_erased', actor: 'local', detail: { count: 3 } });
      await page.context().close();
    });

    it('sends the link by every channel, each to the page that opens', async () => {
      const { api, inbox } = running();
      const { path, link, phone, email } = await begin({ channels: ['sms', 'email', 'whatsapp'] });
      expect(link.mfaStatus).toEqual({ smsStatus: 'Sent', emailStatus: 'Sent', whatsappStatus: 'Sent' });
      for (const [to, channel] of [
        [phone, 'sms'],
        [email, 'email'],
        [phone, 'whatsapp'],
      ] as const)
        expect((await inbox.newest(to, channel)).links).toContain(link.url);
      expect((await fetch(link.url)).status).toBe(200);
      expect(await statusOf(path)).toBe('Waiting');
      const again = await api.post(`${path}/biometrics`, { body: { channels: ['sms'] } });
      expect(again.body).toMatchObject({ code: 'resend_too_soon' });
    });

    it('says which message was not taken, and goes on trying', async () => {
      const { inbox } = running();
      await inbox.plan({ channel: 'sms', kind: 'status', status: 500, times: 2 });
      const { link, phone } = await begin({ channels: ['sms', 'email'] });
      expect(link.mfaStatus).toEqual({ smsStatus: 'Failed', emailStatus: 'Sent' });
      const message = await until(async () => (await inbox.messages(phone, 'sms'))[0]);
      expect(message.links).toEqual([link.url]);
      await inbox.heal();
    });

    it('gives up on bodies that come byte by byte, answers everybody else meanwhile, and keeps nothing of them', async () => {
      const { api } = running();
      const { path, link } = await begin();
      const person = new LinkBrowser(link.url);
      await person.begin();
      const uploads = await Promise.all(
        Array.from(
          { length: 6 },
          async () => (await person.post('/captures/selfie', { size: 100_000 })).body['uploadId'],
        ),
      );
      const { hostname, port, pathname } = new URL(link.url);
      const drip = (uploadId: unknown) =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => {
            const head = `POST ${pathname}/captures/selfie/${String(uploadId)} HTTP/1.1\r\nHost: ${hostname}\r\n`;
            const rest = `Cookie: ${person.cookie}\r\nContent-Type: application/octet-stream\r\nUpload-Offset: 0\r\n`;
            socket.write(`${head}${rest}Content-Length: 100000\r\n\r\n`);
          });
          const timer = setInterval(() => socket.write('x'), 1_000);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            clearInterval(timer);
            resolve();
          });
        });
      const dripping = Promise.all(uploads.flatMap((id) => Array.from({ length: 10 }, () => drip(id))));
      expect((await api.get(path)).status).toBe(200);
      await dripping;
      for (const id of uploads)
        expect((await person.request(`/captures/selfie/${String(id)}`)).body).toEqual({ received: 0 });
    });

    it.each([
      ['approves what reaches the policy of its tenant', 0.97, 'Approved'],
      ['leaves what does not to a reviewer', 0.4, 'Processing'],
    ] as const)('a face verifier %s', async (_, similarity, status) => {
      const { api, stack } = running();
      verifier.finds.similarity = similarity;
      const token = await stack.token('other');
      const created = await api.post('/v1/transaction', { body: newPerson().body, token });
      const path = `/v1/transaction/${(created.body as { id: string }).id}`;
      const { url } = (await api.post(`${path}/biometrics`, { token })).body as Link;
      const person = new LinkBrowser(url);
      expect((await person.request('')).body['text']).toContain('Um programa que compara rostos');
      await person.begin();
      const picture = await noise(900, 700);
      for (const kind of ['documentFront', 'documentBack', 'selfie']) await person.upload(kind, picture);
      const before = verifier.received.length;
      expect((await person.post('/submit')).status).toBe(200);
      await until(() => verifier.received.length > before);
      const settled = async () => ((await api.get(`${path}/all`, { token })).body as All).biometrics?.status === status;
      await until(settled);
      const waiting = (await api.get('/v1/reviews', { token })).body as { reviews: { transactionId: string }[] };
      const isWaiting = waiting.reviews.some(({ transactionId }) => path.endsWith(transactionId));
      expect(isWaiting).toBe(status === 'Processing');
    });

    it('gives the same link for the same key, and cancels the old for a new one', async () => {
      const { api } = running();
      const path = await api.begin(newPerson().body);
      const [first, same] = [
        await api.post(`${path}/biometrics`, { key: 'k' }),
        await api.post(`${path}/biometrics`, { key: 'k' }),
      ];
      expect(same.body).toEqual(first.body);
      const next = (await api.post(`${path}/biometrics`)).body as Link;
      const page = await telephone();
      expect((await page.goto((first.body as Link).url))?.status()).toBe(410);
      await heading(page, 'Há um link mais novo');
      expect((await page.goto(next.url))?.status()).toBe(200);
      await page.context().close();
    });
  });
}
