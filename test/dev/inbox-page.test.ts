import { createTransport } from 'nodemailer';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser';
import { createInvitation, createQuestion, openInboxWorld, phone, sender, type InboxWorld } from './inbox-world';
import { waitUntil } from '../support/wait-until';
import {
  findInViews,
  findViolations,
  firstPaintMaxMs,
  pageBytesMax,
  readBytes,
  readFastestPaint,
} from '../web/page-checks';

describe('the inbox page', () => {
  let world: InboxWorld;
  let browser: Browser;
  let page: Page;
  let consoleErrors: string[];

  beforeAll(async () => {
    world = await openInboxWorld();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });
  beforeEach(async () => {
    await world.call('DELETE', 'messages');
    page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
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

  it('the inbox page shows the first steps while it is empty', async () => {
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect(await page.getByLabel('Create a transaction', { exact: true }).innerText()).toContain(
      `${world.receiver.url}/v1/transaction `,
    );
  });

  it('the inbox page shows a message and its code without a reload', async () => {
    await send('<img src=x onerror=alert(1)> Your code is 481516. Help: https://a.example/12345678');
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByText('<img src=x onerror=alert(1)>').last().waitFor();
    expect(await page.getByRole('button', { name: /Copy code/ }).allInnerTexts()).toEqual(['481516']);
    await send('A second message');
    await page.getByRole('article').getByText('A second message').waitFor();
  });

  it('the inbox page counts unread messages and finds conversations', async () => {
    await send('one');
    await send('two');
    await send('needle', '+5521998761234');
    await page.getByLabel('2 unread').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await page.getByRole('link', { name: /98765-4321/ }).waitFor({ state: 'detached' });
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(1);
  });

  it('a change of a message that is older than the loaded messages does not show it as the newest', async () => {
    const { sid } = await send('oldest', '+5511900000001');
    await send('older', '+5511900000002');
    await send('newer', '+5511900000003');
    // In place of 2,000 messages.
    await page.route(/\/api\/messages\?.*limit=2000/, (route) =>
      route.continue({ url: route.request().url().replace('limit=2000', 'limit=2') }),
    );
    await page.reload();
    const links = page.getByRole('navigation').getByRole('link');
    await links.nth(1).waitFor();
    await world.call('POST', `messages/${sid}/read`);
    await send('newest', '+5511900000004');
    await links.nth(2).waitFor();
    expect(await links.allInnerTexts()).toEqual(
      ['newest', 'newer', 'older'].map((text) => expect.stringContaining(text)),
    );
  });

  it('a WhatsApp message is marked as read only when the user presses one of its buttons', async () => {
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

  it('the inbox page shows the address in the text of a template as a link', async () => {
    const { sid: contentSid } = await createInvitation(world.client());
    const numbers = { to: `whatsapp:${phone}`, from: `whatsapp:${sender}` };
    await world.client().messages.create({ ...numbers, contentSid, contentVariables: '{"1":"to-ken_1"}' });
    await page.getByRole('link', { name: /98765-4321/ }).click();
    const link = page.getByRole('article').getByRole('link');
    expect(await link.getAttribute('href')).toBe('https://a.example/biometrics/to-ken_1');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
  });

  it('the inbox page sends the typed text', async () => {
    await send('Was it you?');
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByLabel('Reply as this person').fill('não fui eu');
    await page.keyboard.press('Enter');
    await waitUntil(() => world.receiver.received.some(({ fields }) => fields['Body'] === 'não fui eu'));
  });

  it('the inbox page shows a mail in a frame without scripts', async () => {
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
    await page.getByRole('tab', { name: 'Plain text' }).click();
    await page.getByRole('article').getByText('9081', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'a.example/confirm' }).waitFor();
  });

  /** A conversation with buttons, and a mail with HTML, a code and a link. */
  const fillInbox = async () => {
    const { sid: contentSid } = await createQuestion(world.client());
    const numbers = { to: `whatsapp:${phone}`, from: `whatsapp:${sender}` };
    await send('Your code is 481516');
    await world.client().messages.create({ ...numbers, contentSid, contentVariables: '{"1":"Ana","2":"opaque"}' });
    const transport = createTransport(world.inbox.smtpUrl);
    const html = '<p>Confirm: <a href="https://a.example/confirm">here</a></p>';
    await transport.sendMail({
      from: 'x@example.com',
      to: 'ana@example.com',
      subject: 'Code 9081',
      text: '9081',
      html,
    });
    transport.close();
    await page.getByRole('link', { name: /ana@example.com/ }).waitFor();
  };

  it('the inbox page is in the language of the browser, or in the language that the user chooses', async () => {
    const context = await browser.newContext({ locale: 'pt-BR' });
    const brazilian = await context.newPage();
    await brazilian.goto(world.inbox.url);
    await brazilian.getByRole('heading', { name: 'Ainda não há mensagens' }).waitFor();
    expect(await brazilian.title()).toBe('Caixa de entrada · Countersign');
    await brazilian.getByLabel('Idioma').selectOption('Español');
    await brazilian.getByRole('heading', { name: 'Aún no hay mensajes' }).waitFor();
    await brazilian.reload();
    await brazilian.getByText('En vivo', { exact: true }).waitFor();
    expect(await brazilian.locator('html').getAttribute('lang')).toBe('es');
    await context.close();
  });

  it('the inbox page has no accessibility violation in any view, in light and dark mode on two widths', async () => {
    const found: string[] = [];
    const check = async (view: string) => {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      found.push(...(await findInViews(page, view)));
    };
    const open = async (hash: string) => {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    };
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    await check('welcome');
    await fillInbox();
    await check('list');
    await open(`#/${encodeURIComponent(phone)}`);
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await check('WhatsApp');
    await page.getByRole('tab', { name: /SMS/ }).click();
    await page.getByRole('button', { name: 'Copy code 481516' }).waitFor();
    await check('SMS');
    await open('#/ana@example.com');
    await page.frameLocator('iframe').getByRole('link', { name: 'here' }).waitFor();
    await check('mail');
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findViolations(page)).toEqual([]);
    expect(found).toEqual([]);
  });

  it('the inbox page loads at most 150 KB and is painted within a second', async () => {
    await page.reload();
    const bytes = await readBytes(page);
    const paint = await readFastestPaint(page);
    console.log(`The inbox page: ${(bytes / 1024).toFixed(0)} KB, first paint after ${paint.toFixed(0)} ms.`);
    expect(bytes).toBeLessThan(pageBytesMax);
    expect(paint).toBeLessThan(firstPaintMaxMs);
  });

  it('the inbox page can be used with the keyboard only', async () => {
    await fillInbox();
    const focused = () =>
      page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const tabTo = async (name: string | RegExp) => {
      for (let step = 0; step < 15 && !(await focused()).match(name); step += 1) await press('Tab');
      expect(await focused()).toMatch(name);
    };
    await press('Tab');
    expect(await focused()).toBe('Skip to content');
    await press('Enter', '/', 'ArrowDown', 'ArrowDown');
    expect(await focused()).toContain('98765-4321');
    await press('Enter');
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await tabTo('Mark as read');
    await press('Enter');
    await page.getByLabel('Read', { exact: true }).waitFor();
    await tabTo(/^Yes$/);
    await press('Enter');
    await page.getByRole('article', { name: 'You' }).getByText('Yes').waitFor();
    await tabTo('Reply as this person');
    await page.keyboard.type('ok');
    await press('Enter');
    await page.getByRole('article', { name: 'You' }).getByText('ok', { exact: true }).waitFor();
    await press('Shift+Tab', 'Escape');
    await page.getByRole('heading', { name: 'Pick a phone or a mailbox' }).waitFor();
  });

  it('the inbox page deletes all messages only after the user agrees', async () => {
    await send('hello');
    await page.getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await world.messages()).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByRole('button', { name: 'Delete all', exact: true }).click();
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    expect(await world.messages()).toEqual([]);
  });

  it('the inbox page fits a small phone', async () => {
    await send('hello');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.getByRole('link', { name: /98765-4321/ }).click();
    await page.getByLabel('Reply as this person').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: /98765-4321/ }).waitFor();
  });
});
