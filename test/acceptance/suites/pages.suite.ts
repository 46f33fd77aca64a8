import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../support/browser';
import type { GetTestStack } from '../support/test-stack';
import { readLocalClients } from '../support/local-clients';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

const firstStatus = (body: unknown) => (body as { status: string }[])[0]?.status;

/** The hosted pages in a real browser. */
export function describePages(getTestStack: GetTestStack): void {
  describe('in a browser', () => {
    let browser: Browser;
    let page: Page;
    /** Errors of the page, and every request to another host. */
    let pageProblems: string[];

    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());
    beforeEach(async () => {
      page = await browser.newPage({ locale: 'pt-BR' });
      pageProblems = [];
      page.on('pageerror', (error) => pageProblems.push(error.message));
      page.on(
        'console',
        (line) => void (line.type() === 'error' && pageProblems.push(`${line.text()} ${line.location().url}`)),
      );
      page.on('request', (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (protocol.startsWith('http') && hostname !== '127.0.0.1') pageProblems.push(request.url());
      });
    });
    afterEach(async () => {
      await page.close();
      expect(pageProblems).toEqual([]);
    });

    const createTransaction = async () => {
      const person = newPerson();
      return { ...person, path: await getTestStack().api.createTransaction(person.body) };
    };

    it('the inbox shows new messages, and a pressed button reaches the transaction', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createTransaction();
      await page.goto(inbox.address);
      await page.getByText('Ao vivo', { exact: true }).waitFor();
      await api.post(`${path}/sms/tokens`);
      const number = `${phone.slice(5, 10)}-${phone.slice(10)}`;
      await page.getByRole('link', { name: new RegExp(number) }).click();
      const code = await inbox.waitForCode(phone, 'sms');
      await page
        .getByRole('button', { name: /Copiar o código/ })
        .getByText(code)
        .waitFor();

      await api.post(`${path}/whatsapps/2fa`);
      await page.getByRole('tab', { name: /WhatsApp/ }).click();
      await page.getByRole('group', { name: 'Respostas rápidas' }).getByRole('button', { name: 'SIM' }).click();
      await waitUntil(async () => firstStatus((await api.get(`${path}/whatsapps/2fa`)).body) === 'Replied');
      const { scores } = await api.getAll(path);
      expect(scores.at(-1)).toMatchObject({ reason: 'WhatsappChecked' });
    });

    it('a link in an e-mail changes nothing until its button is pressed', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/tokens`);
      await page.goto(inbox.address);
      await page.getByRole('link', { name: new RegExp(email) }).click();
      const mailLink = page.frameLocator('iframe').getByRole('link').first();
      const [popup] = await Promise.all([page.waitForEvent('popup'), mailLink.click()]);
      await popup.getByRole('button', { name: 'Não fui eu' }).waitFor();
      await popup.reload();
      const link = await inbox.waitForLink(email);
      expect(popup.url()).toBe(link);
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Waiting' });

      await popup.getByRole('button', { name: 'Sim, fui eu' }).click();
      await popup.getByRole('heading', { name: 'Confirmado' }).waitFor();
      expect((await api.get(`${path}/emails/tokens`)).body).toMatchObject({ status: 'Valid' });
      await page.goto(link);
      await page.getByRole('heading', { name: 'Confirmado' }).waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
    });

    it('a hosted page lets a person deny a request', async () => {
      const { api, inbox } = getTestStack();
      const { path, email } = await createTransaction();
      await api.post(`${path}/emails/2fa`);
      await page.goto(await inbox.waitForLink(email));
      await page.getByRole('button', { name: 'NÃO' }).click();
      await page.getByRole('heading', { name: 'Resposta registrada' }).waitFor();
      expect(firstStatus((await api.get(`${path}/emails/2fa`)).body)).toBe('Replied');
      expect((await api.getAll(path)).insights.map(({ code }) => code)).toContain('CF003');
    });

    it('the form in the API reference gets an access token for a client, and calls an operation', async () => {
      const { api, stack } = getTestStack();
      const [client] = readLocalClients(stack);
      await page.goto(`${api.address}/docs/api/flows`);
      await page.getByText('Try listFlows', { exact: true }).click();
      await page.getByRole('button', { name: 'Get a token for a client' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Client id').fill(client.clientId);
      await dialog.getByLabel('Client secret').fill(client.clientSecret);
      await dialog.getByRole('button', { name: 'Get token' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('textbox', { name: 'limit', exact: true }).first().fill('1');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 OK').waitFor();
      await page.locator('.try-response').getByText('"flows": [').waitFor();
    });
  });
}
