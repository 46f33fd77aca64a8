import express, { type Request, type Response } from 'express';
import { type Language, languages } from '../../../domain/language';
import { type PersonsPage, toPersonsPage } from '../../../domain/persons-page';
import { type LinkTarget, readPersonsToken } from '../../../platform/links';
import { receive } from '../../http/body/read-json';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import type { OpenRoute } from '../../http/route';
import { pageStyle } from './page-layout';
import { press } from './press';
import { sendResult, showOpened } from './show-opened';

const form = express.urlencoded({ extended: false, limit: 1_024, parameterLimit: 5 });

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
    const { state } = await parts.transactions.readState({ tenant, id });
    const page = toPersonsPage(state, confirmationId, new Date().toISOString());
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
  showOpened(parts, response, opened.page, opened.target.purpose);
};

/** POST /confirm/{token}: takes the person's answer. */
export const takeAnswer: OpenRoute['serve'] = async (parts, request, response) => {
  const body = (await receive(form, request, response)) as { action?: unknown } | undefined;
  const opened = await open(parts, request, response);
  if (!opened) return;
  const { page, target } = opened;
  const pressed = await press(parts, page, target, body?.action);
  if (pressed) return sendResult(parts, response, pressed.result, { ...pressed, language: page.language });
  showOpened(parts, response, page, target.purpose);
};

export const showStyle: OpenRoute['serve'] = (_parts, _request, response) => {
  response.set('Cache-Control', 'public, max-age=3600').type('css').send(pageStyle);
};
