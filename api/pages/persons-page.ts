import express, { type Request, type Response } from 'express';
import { fillText } from '../../domain/confirmation-settings';
import { type Language, languages } from '../../domain/language';
import type { PersonsPage } from '../../domain/persons-page';
import { fingerprint, digestCode } from '../../platform/codes';
import { type LinkTarget, readPersonsToken } from '../../platform/links';
import { receive } from '../body/read-json';
import type { Dependencies } from '../dependencies';
import { Problem } from '../problem';
import type { OpenRoute } from '../route';
import { Refused } from '../transactions';
import { type PageContent, pageStyle, renderPage } from './page-layout';
import { words } from './words';

const form = express.urlencoded({ extended: false, limit: 1_024, parameterLimit: 5 });

type Result = keyof (typeof words)['en']['results'];

const statusOf: Record<Result, number> = {
  confirmed: 200,
  denied: 200,
  expired: 410,
  closed: 410,
  unknown: 404,
  unavailable: 503,
};

/** Pages carry no script, are kept by nobody, and tell no other site where the person came from. */
const headers = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
} as const;

function send(response: Response, status: number, content: PageContent): void {
  response.status(status).set(headers).set('Content-Language', content.language);
  if (status === 503) response.set('Retry-After', '2');
  response.type('html').send(renderPage(content));
}

function sendResult({ config }: Dependencies, response: Response, result: Result, language: Language): void {
  const { title, results } = words[language];
  send(response, statusOf[result], { language, title, brand: config.BRAND, ...results[result] });
}

interface Opened {
  target: LinkTarget;
  page: PersonsPage;
}

/** The confirmation that a link opens; undefined after the page that says why not has been sent. */
async function open(parts: Dependencies, request: Request, response: Response): Promise<Opened | undefined> {
  const fallback = (request.acceptsLanguages([...languages]) || parts.config.DEFAULT_LANGUAGE) as Language;
  const target = readPersonsToken(parts.keys, String(request.params['token']));
  const found = target ? await look(parts, target) : 'unknown';
  if (typeof found !== 'string') return found;
  sendResult(parts, response, found, fallback);
  return undefined;
}

async function look(parts: Dependencies, target: LinkTarget): Promise<Opened | 'unknown' | 'unavailable'> {
  const { tenant, transactionId: id, confirmationId } = target;
  try {
    const page = await parts.transactions.readPage({ tenant, id }, confirmationId);
    return page ? { target, page } : 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'transaction_not_found' ? 'unknown' : 'unavailable';
  }
}

/** GET /confirm/{token}: asks. It changes nothing, because mail scanners open every link before the person does. */
export const showPage: OpenRoute['serve'] = async (parts, request, response) => {
  const opened = await open(parts, request, response);
  if (!opened) return;
  showOpened(parts, response, opened.page);
};

function showOpened(parts: Dependencies, response: Response, { status, kind, language }: PersonsPage): void {
  const { title, ask, hint, superseded, yes, no } = words[language];
  const brand = parts.config.BRAND;
  const page = { language, title, brand };
  if (status === 'waiting') {
    const heading = fillText(ask[kind], { brand });
    return send(response, 200, { ...page, heading, text: hint, buttons: { yes, no } });
  }
  if (status === 'superseded') return send(response, 200, { ...page, ...superseded, buttons: { no } });
  sendResult(parts, response, status, language);
}

/** POST /confirm/{token}: takes the person's answer. */
export const takeAnswer: OpenRoute['serve'] = async (parts, request, response) => {
  const body = (await receive(form, request, response)) as { action?: unknown } | undefined;
  const opened = await open(parts, request, response);
  if (!opened) return;
  const { page, target } = opened;
  const action = body?.action;
  if (page.status === 'waiting' && (action === 'confirm' || action === 'deny'))
    return sendResult(parts, response, await act(parts, opened, action), page.language);
  if (page.status === 'superseded' && page.successorId !== undefined && action === 'deny') {
    const successor = { page, target: { ...target, confirmationId: page.successorId } };
    return sendResult(parts, response, await act(parts, successor, action), page.language);
  }
  showOpened(parts, response, page);
};

async function act(parts: Dependencies, { target, page }: Opened, action: 'confirm' | 'deny'): Promise<Result> {
  try {
    return await (page.kind === 'token'
      ? actOnToken(parts, target, page, action)
      : actOnSecondFactor(parts, target, page, action));
  } catch (error) {
    // Closed between the look and the press.
    if (error instanceof Refused) return 'closed';
    if (error instanceof Problem) return 'unavailable';
    throw error;
  }
}

/** A button pressed twice is one answer. */
const keyOf = ({ keys }: Dependencies, { confirmationId }: LinkTarget, action: string) =>
  fingerprint(keys, 'page', confirmationId, action);

async function actOnToken(
  parts: Dependencies,
  target: LinkTarget,
  page: PersonsPage,
  action: 'confirm' | 'deny',
): Promise<Result> {
  const { tenant, transactionId: id, confirmationId } = target;
  const key = keyOf(parts, target, action);
  if (action === 'deny') {
    await parts.transactions.replyToConfirmation({ tenant, id }, { confirmationId, reply: { deny: true } }, key);
    return 'denied';
  }
  const { flow, codeDigits } = page;
  const digest = digestCode(parts.keys, id, confirmationId, { name: flow, codeDigits });
  const { status } = await parts.transactions.answerConfirmation({ tenant, id }, { flow, digest }, key);
  return status === 'Valid' ? 'confirmed' : 'closed';
}

async function actOnSecondFactor(
  parts: Dependencies,
  target: LinkTarget,
  page: PersonsPage,
  action: 'confirm' | 'deny',
): Promise<Result> {
  const { tenant, transactionId: id, confirmationId } = target;
  const meaning = action === 'confirm' ? 'yes' : 'no';
  const option = page.options?.find((candidate) => candidate.meaning === meaning)?.option;
  if (option === undefined) return 'closed';
  const key = keyOf(parts, target, action);
  const { outcome } = await parts.transactions.replyToConfirmation(
    { tenant, id },
    { confirmationId, reply: { option } },
    key,
  );
  return outcome === 'yes' ? 'confirmed' : 'denied';
}

export const showStyle: OpenRoute['serve'] = (_parts, _request, response) => {
  response.set('Cache-Control', 'public, max-age=3600').type('css').send(pageStyle);
};
