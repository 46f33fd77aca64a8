import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser';
import { createInvitation, createQuestion, openInboxWorld, phone, sender, type InboxWorld } from './inbox-world';
import { waitUntil } from '../support/wait-until';

describe('the inbox page', () => {
  let world: InboxWorld;
  let browser: Browser;
  let page: Page;
  let consoleErrors: string[];

  beforeAll(async () => {
    world = await openInboxWorld();
    browser = await openBrowser();
  }, 30_000);
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });
  beforeEach(async () => {
    await world.call('DELETE', 'messages');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    consoleErrors = [];
    page.on('pageerror', (error) => consoleErrors.push(error.message));
    page.on('console', (line) => void (line.type() === 'error' && consoleErrors.push(line.text())));
    await page.goto(world.inbox.url);
    await page.getByText('Live', { exact: true }).waitFor();
  });
  afterEach(async () => {
    expect(consoleErrors).toEqual([]);
    await page.close();
  });

  const send = (body: string, to = phone) => world.client().messages.create({ to, from: sender, body });

  it('shows the first steps while it is empty', async () => {
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect(await page.getByLabel('Create a transaction', { exact: true }).innerText()).toContain(
      `${world.receiver.url}/v1/transaction `,
    );
  });

  it('shows a message and its code without a reload', async () => {
    await send('<img src=x onerror=alert(1)> Your code is 481516. Help: https://a.example/12345678');
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByText('<img src=x onerror=alert(1)>').last().waitFor();
    expect(await page.getByRole('button', { name: /Copy code/ }).allInnerTexts()).toEqual(['481516']);
    await send('A second message');
    await page.getByRole('article').getByText('A second message').waitFor();
  });

  it('counts unread messages and finds conversations', async () => {
    await send('one');
    await send('two');
    await send('needle', '+5521998761234');
    await page.getByLabel('2 unread').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await page.getByRole('link', { name: /98765-4321/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(1);
  });

  it('presses a button and marks a WhatsApp message as read only on request', async () => {
    const { sid: contentSid } = await createQuestion(world.client());
    const numbers = { to: `whatsapp:${phone}`, from: `whatsapp:${sender}` };
    await world.client().messages.create({ ...numbers, contentSid, contentVariables: '{"1":"Ana","2":"opaque"}' });
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByLabel('Delivered').waitFor();
    expect(await world.messages()).toMatchObject([{ status: 'delivered' }]);
    await page.getByRole('button', { name: 'Yes' }).click();
    await waitUntil(() => world.receiver.received.some(({ fields }) => fields['ButtonPayload'] === 'opaque:1'));
    await page.getByLabel('Read', { exact: true }).waitFor();
    await page.getByRole('article', { name: 'You' }).getByText('Yes').waitFor();
  });

  it('shows the address in the text of a template as a link', async () => {
    const { sid: contentSid } = await createInvitation(world.client());
    const numbers = { to: `whatsapp:${phone}`, from: `whatsapp:${sender}` };
    await world.client().messages.create({ ...numbers, contentSid, contentVariables: '{"1":"to-ken_1"}' });
    await page.getByRole('link', { name: /98765-4321/ }).click();
    const link = page.getByRole('article').getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://a.example/biometrics/to-ken_1');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('sends the typed text', async () => {
    await send('Was it you?');
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByLabel('Reply as this person').fill('não fui eu');
    await page.keyboard.press('Enter');
    await waitUntil(() => world.receiver.received.some(({ fields }) => fields['Body'] === 'não fui eu'));
  });

  it('shows a mail in a frame without scripts', async () => {
    const transport = createTransport(world.inbox.smtpUrl);
    const html = '<h1>Confirm</h1><a href="https://a.example/confirm">here</a>';
    await transport.sendMail({
      from: 'x@example.com',
      to: 'ana@example.com',
      subject: 'Confirm 9081',
      text: '9081',
      html,
    });
    transport.close();
    await page.getByRole('link', { name: /ana@example.com/ }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Confirm' }).waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-scripts');
    await page.getByRole('button', { name: 'Plain text' }).click();
    await page.getByRole('article').getByText('9081', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'a.example/confirm' }).waitFor();
  });

  it('fits a small phone', async () => {
    await send('hello');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByLabel('Reply as this person').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: /98765-4321/ }).waitFor();
  });
});
