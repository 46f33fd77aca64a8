import express, { type Request, type Response } from 'express';
import { fillText } from '../../domain/confirmation-settings';
import { type Language, languages } from '../../domain/language';
import type { PagedReply, PersonsPage } from '../../domain/persons-page';
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
  noted: 200,
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

/** `replied` is what the person said to a question: a no to it is noted in its own words. */
function sendResult(
  { config }: Dependencies,
  response: Response,
  told: Result,
  { language, replied }: Pick<PersonsPage, 'language' | 'replied'>,
): void {
  const { title, results } = words[language];
  const result = told === 'denied' && replied ? 'noted' : told;
  const { heading, text } = results[result];
  const said = text.replace('{{reply}}', () => replied?.label ?? '');
  send(response, statusOf[result], { language, title, brand: config.BRAND, heading, text: said });
}

interface Opened {
  target: LinkTarget;
  page: PersonsPage;
}

/** The confirmation that a link opens; undefined after the page that says why not has been sent. */
async function open(parts: Dependencies, request: Request, response: Response): Promise<Opened | undefined> {
  const language = (request.acceptsLanguages([...languages]) || parts.config.DEFAULT_LANGUAGE) as Language;
  const target = readPersonsToken(parts.keys, String(request.params['token']));
  const found = target ? await look(parts, target) : 'unknown';
  if (typeof found !== 'string') return found;
  sendResult(parts, response, found, { language });
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

function showOpened(parts: Dependencies, response: Response, opened: PersonsPage): void {
  const { status, question, language } = opened;
  const { title, ask, hint, superseded, yes, no } = words[language];
  const brand = parts.config.BRAND;
  const page = { language, title, brand };
  const denying = { value: 'deny', label: no };
  if (status === 'waiting' && question) {
    const { subject = title, body, replies } = question;
    const buttons = replies.map(({ option, label, meaning }) => ({
      value: String(option),
      label,
      strong: meaning === 'yes',
    }));
    return send(response, 200, { ...page, heading: subject, text: body, buttons });
  }
  if (status === 'waiting') {
    const buttons = [{ value: 'confirm', label: yes, strong: true }, denying];
    return send(response, 200, { ...page, heading: fillText(ask, { brand }), text: hint, buttons });
  }
  if (status === 'superseded') return send(response, 200, { ...page, ...superseded, buttons: [denying] });
  sendResult(parts, response, status, opened);
}

/** POST /confirm/{token}: takes the person's answer. */
export const takeAnswer: OpenRoute['serve'] = async (parts, request, response) => {
  const body = (await receive(form, request, response)) as { action?: unknown } | undefined;
  const opened = await open(parts, request, response);
  if (!opened) return;
  const { page, target } = opened;
  const act = actOf(parts, page, target, body?.action);
  const replied = pressedReply(page, body?.action);
  if (act) return sendResult(parts, response, await carriedOut(act), { ...page, ...(replied ? { replied } : {}) });
  showOpened(parts, response, page);
};

const pressedReply = ({ question }: PersonsPage, action: unknown): PagedReply | undefined =>
  question?.replies.find(({ option }) => String(option) === action);

/** What a press does; undefined for none that the page offers. */
function actOf(
  parts: Dependencies,
  page: PersonsPage,
  target: LinkTarget,
  action: unknown,
): (() => Promise<Result>) | undefined {
  const { status, question, successorId } = page;
  if (status === 'waiting' && question) {
    const pressed = pressedReply(page, action);
    return pressed && (() => reply(parts, target, pressed.option));
  }
  if (status === 'waiting' && action === 'confirm') return () => confirm(parts, target, page);
  if (status === 'waiting' && action === 'deny') return () => deny(parts, target);
  if (status === 'superseded' && successorId !== undefined && action === 'deny')
    return () => deny(parts, { ...target, confirmationId: successorId });
  return undefined;
}

async function carriedOut(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
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

async function deny(parts: Dependencies, target: LinkTarget): Promise<Result> {
  const { tenant, transactionId: id, confirmationId } = target;
  const denial = { confirmationId, reply: { deny: true } } as const;
  await parts.transactions.replyToConfirmation({ tenant, id }, denial, keyOf(parts, target, 'deny'));
  return 'denied';
}

async function confirm(parts: Dependencies, target: LinkTarget, { flow, codeDigits }: PersonsPage): Promise<Result> {
  const { tenant, transactionId: id, confirmationId } = target;
  const digest = digestCode(parts.keys, id, confirmationId, { name: flow, codeDigits });
  const key = keyOf(parts, target, 'confirm');
  const { status } = await parts.transactions.answerConfirmation({ tenant, id }, { flow, digest }, key);
  return status === 'Valid' ? 'confirmed' : 'closed';
}

async function reply(parts: Dependencies, target: LinkTarget, option: number): Promise<Result> {
  const { tenant, transactionId: id, confirmationId } = target;
  const key = keyOf(parts, target, String(option));
  const said = { confirmationId, reply: { option } };
  const { outcome } = await parts.transactions.replyToConfirmation({ tenant, id }, said, key);
  return outcome === 'yes' ? 'confirmed' : 'denied';
}

export const showStyle: OpenRoute['serve'] = (_parts, _request, response) => {
  response.set('Cache-Control', 'public, max-age=3600').type('css').send(pageStyle);
};
