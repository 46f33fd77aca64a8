import { connect } from 'node:net';
import type { Browser } from 'playwright-core';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import { openBrowser } from '../../support/browser';
import type { GetTestStack } from '../support/test-stack';
import { createLink, type Link, readLinkStatus, openTelephone } from '../support/biometrics-link';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/** Messages with links, and slow uploads. */
export function describeBiometricsLinks(getTestStack: GetTestStack): void {
  describe('biometrics links', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser({ program: 'chromium', camera: 'allowed' });
    });
    afterAll(() => browser.close());

    it('links are sent on every channel and open the page, and a second send that comes too soon is rejected', async () => {
      const { api, inbox } = getTestStack();
      const { path, link, phone, email } = await createLink(getTestStack, { channels: ['sms', 'email', 'whatsapp'] });
      expect(link.mfaStatus).toEqual({ smsStatus: 'Sent', emailStatus: 'Sent', whatsappStatus: 'Sent' });
      for (const [to, channel] of [
        [phone, 'sms'],
        [email, 'email'],
        [phone, 'whatsapp'],
      ] as const)
        expect((await inbox.waitForNewest(to, channel)).links).toContain(link.url);
      expect((await fetch(link.url)).status).toBe(200);
      expect(await readLinkStatus(getTestStack, path)).toBe('Waiting');
      const secondResponse = await api.post(`${path}/biometrics`, { body: { channels: ['sms'] } });
      expect(secondResponse.body).toMatchObject({ code: 'resend_too_soon' });
    });

    it('if the SMS with a link cannot be sent at once, the response has the smsStatus Failed, and the SMS is sent later', async () => {
      const { inbox } = getTestStack();
      await inbox.planFailures({ channel: 'sms', kind: 'status', status: 500, times: 2 });
      const { link, phone } = await createLink(getTestStack, { channels: ['sms', 'email'] });
      expect(link.mfaStatus).toEqual({ smsStatus: 'Failed', emailStatus: 'Sent' });
      const message = await waitUntil(async () => (await inbox.readMessages(phone, 'sms'))[0]);
      expect(message.links).toEqual([link.url]);
      await inbox.clearFailures();
    });

    it('requests with the same idempotency key get the same link, and a new link cancels the earlier link', async () => {
      const { api } = getTestStack();
      const path = await api.createTransaction(newPerson().body);
      const [firstResponse, repeatedResponse] = [
        await api.post(`${path}/biometrics`, { key: 'k' }),
        await api.post(`${path}/biometrics`, { key: 'k' }),
      ];
      expect(repeatedResponse.body).toEqual(firstResponse.body);
      const newLink = (await api.post(`${path}/biometrics`)).body as Link;
      const page = await openTelephone(browser);
      expect((await page.goto((firstResponse.body as Link).url))?.status()).toBe(410);
      await page.getByRole('heading', { level: 1, name: 'Há um link mais novo' }).waitFor();
      expect((await page.goto(newLink.url))?.status()).toBe(200);
      await page.context().close();
    });

    it('slow uploads neither save bytes nor delay other requests', async () => {
      const { api } = getTestStack();
      const { path, link } = await createLink(getTestStack);
      const person = new LinkBrowser(link.url);
      await person.openAndConsent();
      const uploads: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const { uploadId } = (await person.post('/captures/selfie', { size: 100_000 })).body;
        uploads.push(uploadId as string);
      }
      const { hostname, port, pathname } = new URL(link.url);
      const uploadSlowly = (uploadId: string) =>
        new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => {
            const requestStart = `POST ${pathname}/captures/selfie/${uploadId} HTTP/1.1\r\nHost: ${hostname}\r\n`;
            const otherHeaders = `Cookie: ${person.cookie}\r\nContent-Type: application/octet-stream\r\nUpload-Offset: 0\r\n`;
            socket.write(`${requestStart}${otherHeaders}Content-Length: 100000\r\n\r\n`);
          });
          const timer = setInterval(() => socket.write('x'), 1_000);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            clearInterval(timer);
            resolve();
          });
        });
      const slowUploads = Promise.all(uploads.flatMap((id) => Array.from({ length: 10 }, () => uploadSlowly(id))));
      expect((await api.get(path)).status).toBe(200);
      await slowUploads;
      for (const id of uploads) expect((await person.request(`/captures/selfie/${id}`)).body).toEqual({ received: 0 });
    });
  });
}
