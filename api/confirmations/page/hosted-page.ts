import express, { type Request, type Response } from 'express';
import { type ConfirmationPage, toHostedPage } from '../../../domain/confirmation/page';
import { type ConfirmationPageTarget, readHostedPageToken } from '../../../messages/links';
import { asTenant } from '../../../platform/postgres/tenant-scope';
import { isForm, runBodyParser } from '../../http/body/read-json';
import type { Dependencies } from '../../dependencies';
import { languageOfRequest } from '../../http/language';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { applyButton } from './apply-button';
import { sendHostedPage } from './send-hosted-page';
import { showConfirmation, showResult } from './show-confirmation';

const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 1_024, parameterLimit: 5 });

interface OpenedPage {
  target: ConfirmationPageTarget;
  page: ConfirmationPage;
}

/** Finds the confirmation of a link. If this fails, sends a page with the reason and returns undefined. */
async function openPage(
  dependencies: Dependencies,
  request: Request,
  response: Response,
): Promise<OpenedPage | undefined> {
  const target = readHostedPageToken(dependencies.keys, String(request.params['token']));
  const result = target ? await asTenant(target.tenant, () => loadPage(dependencies, target)) : 'unknown';
  if (typeof result !== 'string') return result;
  const language = languageOfRequest({ dependencies, request });
  sendHostedPage(dependencies, response, { language, content: { kind: 'result', result } });
  return undefined;
}

/**
 * Reads the confirmation of a link. `unknown`: there is no such confirmation, or its transaction was erased. `unavailable`: the
 * confirmation cannot be read now.
 */
async function loadPage(
  dependencies: Dependencies,
  target: ConfirmationPageTarget,
): Promise<OpenedPage | 'unknown' | 'unavailable'> {
  const { tenant, transactionId: id, confirmationId } = target;
  try {
    const state = await dependencies.transactions.readState({ tenant, id });
    const page = toHostedPage(state, confirmationId, new Date().toISOString());
    return page ? { target, page } : 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'transaction_not_found' || error.code === 'erased' ? 'unknown' : 'unavailable';
  }
}

/** GET /confirm/{token}: shows the question. It must not change anything, because mail scanners open every link. */
export const showPage: RawHandler = async (dependencies, request, response) => {
  const openedPage = await openPage(dependencies, request, response);
  if (!openedPage) return;
  const { page, target } = openedPage;
  await asTenant(target.tenant, () => showConfirmation(dependencies, response, page, target));
};

/** POST /confirm/{token}: applies the button that the person pressed. */
export const submitAnswer: RawHandler = async (dependencies, request, response) => {
  const body = (await runBodyParser(parseForm, request, response)) as { action?: unknown } | undefined;
  const openedPage = await openPage(dependencies, request, response);
  if (!openedPage) return;
  const { page, target } = openedPage;
  await asTenant(target.tenant, async () => {
    const result = await applyButton(dependencies, page, target, body?.action);
    if (result) return showResult(dependencies, response, page, target, result);
    return showConfirmation(dependencies, response, page, target);
  });
};
