import express, { type Request, type Response } from 'express';
import { type Language, languages } from '../../../domain/language';
import { type HostedPage, toHostedPage } from '../../../domain/hosted-page';
import { type LinkTarget, readHostedPageToken } from '../../../platform/links';
import { receive } from '../../http/body/read-json';
import type { Dependencies } from '../../dependencies';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';
import { pageStyle } from './page-layout';
import { applyButton } from './apply-button';
import { sendResult, showConfirmation } from './show-confirmation';

const form = express.urlencoded({ extended: false, limit: 1_024, parameterLimit: 5 });

interface Opened {
  target: LinkTarget;
  page: HostedPage;
}

/** The confirmation of a link. Undefined if the response is already an error page. */
async function open(dependencies: Dependencies, request: Request, response: Response): Promise<Opened | undefined> {
  const language = (request.acceptsLanguages([...languages]) || dependencies.config.DEFAULT_LANGUAGE) as Language;
  const target = readHostedPageToken(dependencies.keys, String(request.params['token']));
  const found = target ? await loadPage(dependencies, target) : 'unknown';
  if (typeof found !== 'string') return found;
  sendResult(dependencies, response, found, { language });
  return undefined;
}

async function loadPage(dependencies: Dependencies, target: LinkTarget): Promise<Opened | 'unknown' | 'unavailable'> {
  const { tenant, transactionId: id, confirmationId } = target;
  try {
    const { state } = await dependencies.transactions.readState({ tenant, id });
    const page = toHostedPage(state, confirmationId, new Date().toISOString());
    return page ? { target, page } : 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'transaction_not_found' ? 'unknown' : 'unavailable';
  }
}

/** GET /confirm/{token}: shows the question. It changes nothing, because mail scanners open every link first. */
export const showPage: Serve = async (dependencies, request, response) => {
  const opened = await open(dependencies, request, response);
  if (!opened) return;
  showConfirmation(dependencies, response, opened.page, opened.target.purpose);
};

/** POST /confirm/{token}: applies the button that the person pressed. */
export const submitAnswer: Serve = async (dependencies, request, response) => {
  const body = (await receive(form, request, response)) as { action?: unknown } | undefined;
  const opened = await open(dependencies, request, response);
  if (!opened) return;
  const { page, target } = opened;
  const pressed = await applyButton(dependencies, page, target, body?.action);
  if (pressed) return sendResult(dependencies, response, pressed.result, { ...pressed, language: page.language });
  showConfirmation(dependencies, response, page, target.purpose);
};

export const showStyle: Serve = (_dependencies, _request, response) => {
  response.set('Cache-Control', 'public, max-age=3600').type('css').send(pageStyle);
};
