import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { composeMessage } from '../../../activities/messages/compose-message';
import { composeMail } from '../../../activities/providers/compose-mail';
import type { Language } from '../../../domain/transactions/input';
import { hostedPagePath } from '../../../messages/links';
import { messageOf } from '../../../domain/confirmations/confirmation';
import { person, publicUrl } from '../../api/api-world';
import type { BiometricsWorld } from '../../api/biometrics/biometrics-world';
import { findInMail, findViolations, loadAxe } from '../page-checks';

/** A brand to show. Each brand is that of a tenant with the same name. */
export interface SampleBrand {
  tenant: string;
  body: object;
  /** The logo as SVG, which is drawn as PNG. */
  logo?: string;
}

const languagesField = { languages: ['en', 'pt-BR', 'es'] };

/** A wide dark logo, a square colored logo with a long name, and a brand without logo, color and help. */
export const sampleBrands: readonly SampleBrand[] = [
  {
    tenant: 'harbor',
    body: { name: 'Harbor', colors: { main: '#00205b' }, supportUrl: 'https://harbor.example/help', ...languagesField },
    logo: `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120">
      <path d="M20 90 L60 25 L100 90 Z" fill="#00205b"/>
      <text x="125" y="85" font-family="sans-serif" font-weight="700" font-size="72" fill="#00205b">HARBOR</text></svg>`,
  },
  {
    tenant: 'feira',
    body: {
      name: 'Feira & Praça São João Empréstimos Ltda.',
      colors: { main: '#b3005e' },
      supportUrl: 'mailto:ajuda@feira.example',
      smsAutofill: { domain: 'entrar.feira.example' },
      ...languagesField,
    },
    logo: `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="160">
      <circle cx="80" cy="80" r="78" fill="#b3005e"/><circle cx="80" cy="80" r="34" fill="#ffd400"/></svg>`,
  },
  { tenant: 'plain', body: { name: 'Plain', ...languagesField } },
];

/** Saves a brand and its logo by the API. */
export async function saveBrand({ api }: BiometricsWorld, { tenant, body, logo }: SampleBrand): Promise<void> {
  const token = await api.issueToken(tenant);
  const saved = await api.request('/v1/brand', { method: 'PUT', body, token });
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
  if (logo === undefined) return;
  const png = await sharp(Buffer.from(logo)).png().toBuffer();
  const image = png.toString('base64');
  const withLogo = await api.request('/v1/brand/logo', { method: 'PUT', body: { image }, token });
  if (withLogo.status !== 200) throw new Error(JSON.stringify(withLogo.body));
}

interface Opening {
  world: BiometricsWorld;
  page: Page;
  tenant: string;
  language: Language;
}

/** Requests a confirmation of a new person. Returns its transaction. */
async function requestConfirmation({ world, tenant, language }: Opening, endpoint: string) {
  const { api } = world;
  const token = await api.issueToken(tenant);
  const { id, path } = await api.createTransaction({ ...person, genericFields: { locale: language } }, token);
  const { status, body } = await api.post(`${path}/${endpoint}`, { token });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id, path, token, confirmationId: api.transactions.confirmationIds.at(-1) ?? '' };
}

/** Shows the mail of a confirmation, as the worker composes it. Its logo comes from the API of the test. */
async function showMail(opening: Opening, endpoint: 'emails/tokens' | 'emails/2fa'): Promise<void> {
  const { world, page, tenant } = opening;
  const { id, confirmationId } = await requestConfirmation(opening, endpoint);
  const confirmation = world.api.transactions.states.get(`${tenant}/${id}`)?.confirmations.at(-1);
  const send = confirmation?.sends.at(-1);
  if (!confirmation || !send) throw new Error('The confirmation has no message.');
  const { settings, language, expiresAt } = confirmation;
  const message = {
    ...{
      tenant,
      transactionId: id,
      confirmationOrLinkId: confirmationId,
      sendId: send.id,
      settings,
      language,
      expiresAt,
    },
    ...(settings.brand ? { brand: settings.brand } : {}),
    message: messageOf(confirmation, send),
    destination: person.email,
  };
  const { html } = composeMail(composeMessage(world.api.dependencies.keys, publicUrl, message), 'Countersign');
  // A real address on the host of the API, so that the browser loads the logo, but without the content security policy of a page.
  const mailUrl = `${world.api.address}/mail`;
  const body = html.replaceAll(`${publicUrl}/brands/`, `${world.api.address}/brands/`);
  await page.unroute(mailUrl);
  await page.route(mailUrl, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body }));
  await page.goto(mailUrl);
}

/** The pages and mails that show a brand. */
export const brandedViews: Readonly<Record<string, (opening: Opening) => Promise<void>>> = {
  code: async (opening) => {
    const { path, token } = await requestConfirmation(opening, 'sms/tokens');
    const { body } = await opening.world.api.post(`${path}/sms/tokens/link`, { body: {}, token });
    await opening.page.goto(`${opening.world.api.address}${new URL((body as { url: string }).url).pathname}`);
  },
  question: async (opening) => {
    const { id, confirmationId } = await requestConfirmation(opening, 'emails/2fa');
    const target = { tenant: opening.tenant, transactionId: id, confirmationId, purpose: 'answer' as const };
    const { api } = opening.world;
    await opening.page.goto(`${api.address}${hostedPagePath(api.dependencies.keys, target)}`);
  },
  biometrics: async ({ world, page, tenant, language }) => {
    const token = await world.api.issueToken(tenant);
    const { path } = await world.api.createTransaction({ ...person, genericFields: { locale: language } }, token);
    const { browser } = await world.createLink(path, {}, token);
    await page.goto(browser.address);
    await page.locator('main[data-screen]').waitFor();
  },
  'mail-code': (opening) => showMail(opening, 'emails/tokens'),
  'mail-question': (opening) => showMail(opening, 'emails/2fa'),
};

/** Opens a view in one color scheme. Returns what axe finds, and errors such as a style that the content security policy forbids. */
export async function checkView(view: string, opening: Opening, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const { page, tenant, language } = opening;
  const where = `${view} ${tenant} ${language} ${colorScheme}`;
  const errors: string[] = [];
  const note = (line: { type: () => string; text: () => string }) =>
    void (line.type() === 'error' && errors.push(`${where}: ${line.text()}`));
  page.on('console', note);
  await page.emulateMedia({ colorScheme });
  await brandedViews[view]?.(opening);
  await page.waitForLoadState('load');
  const brokenImages = await page.evaluate<number>(
    `[...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).length`,
  );
  if (brokenImages > 0) errors.push(`${where}: ${brokenImages} images are broken`);
  const scrollWidth = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (scrollWidth > 0) errors.push(`${where}: ${scrollWidth} pixels too wide`);
  await loadAxe(page);
  for (const { id, html } of await (view.startsWith('mail') ? findInMail : findViolations)(page))
    errors.push(`${where}: ${id} ${html}`);
  page.off('console', note);
  return errors;
}
