import express, { type Request, type Response } from 'express';
import { type CodeResult, findClosedTokenResult, readTypedCode } from '../../domain/confirmations/check-code';
import {
  canAskForMessage,
  maskedDestinationOf,
  minutesLeftOf,
  tokenOfPage,
} from '../../domain/confirmations/code-page';
import type { Brand } from '../../domain/brand/brand';
import type { Confirmation } from '../../domain/confirmations/confirmation';
import { type CodePageTarget, readCodePageToken } from '../../messages/links';
import { asTenant } from '../../platform/postgres/tenant-scope';
import type { Needs } from '../dependencies';
import { isForm, runBodyParser } from '../http/body/read-json';
import { type CallerSite, findCallerSite, withResult } from '../http/caller-site';
import { languageOfRequest } from '../http/language';
import { Problem } from '../http/problem';
import { type RawHandler, type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { frameOf } from '../pages/framed-page';
import { readPageBrand } from '../pages/person-brand';
import type { CodeIssue, FrameEvent, HostedResult, MessageResult } from '../pages/rendered-pages';
import { messageButtonOf, type MessagePage, sendAnotherMessage } from './another-message';
import { type PageNeeds, sendHostedPage } from './confirmation-page';
import { digestTypedCode, keyedHash } from '../../messages/codes';
import { checkConfirmationCode } from '../../workflows/contract/commands';
import { toResultWithoutAttempt } from '../confirmations/validate-token';

const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 1_024, parameterLimit: 5 });

/** A page on which the person types a code. `token` and `runId`: see `tokenOfPage`. */
interface OpenedPage extends MessagePage {
  target: CodePageTarget;
  brand: Brand | undefined;
  site: CallerSite;
  /** The status of a token that accepts no code any more. Undefined if the token accepts a code. */
  closed: CodeResult['status'] | undefined;
  /** Whether the person denied the transaction. A blocked code then had no wrong attempts. */
  denied: boolean;
}

type CodePageNeeds = PageNeeds | 'termsOf';

/**
 * Reads the token of a page. `unknown`: there is no such token, or its transaction was erased. `unavailable`: the state cannot be read
 * now.
 */
async function loadPage(
  dependencies: Needs<'clientAddresses' | 'config' | 'transactions'>,
  target: CodePageTarget,
  brand: Brand | undefined,
): Promise<OpenedPage | 'unknown' | 'unavailable'> {
  const { tenant, transactionId: id, confirmationId, requester } = target;
  try {
    const state = await dependencies.transactions.readState({ tenant, id });
    const found = tokenOfPage(state, confirmationId);
    if (!found) return 'unknown';
    const site = await findCallerSite(dependencies, requester);
    const closed = findClosedTokenResult(state, found.token, new Date().toISOString())?.status;
    return { target, brand, site, state, ...found, closed, denied: state.facts.deniedAt !== undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'transaction_not_found' || error.code === 'erased' ? 'unknown' : 'unavailable';
  }
}

/** Loads the page of a link and passes it to `serve`. If the page cannot be loaded, sends a page with the reason. */
async function serveCodePage(
  dependencies: Needs<CodePageNeeds>,
  request: Request,
  response: Response,
  serve: (page: OpenedPage) => Promise<void>,
): Promise<void> {
  const target = readCodePageToken(dependencies.keys, String(request.params['token']));
  const sendReason = (result: 'unknown' | 'unavailable', brand?: Brand) => {
    const language = languageOfRequest({ dependencies, request });
    sendHostedPage(dependencies, response, { language, brand, content: { kind: 'result', result } });
  };
  if (!target) return sendReason('unknown');
  await asTenant(target.tenant, async () => {
    response.locals['tenant'] = target.tenant;
    response.locals['transactionId'] = target.transactionId;
    const brand = await readPageBrand(dependencies, target.tenant);
    const page = await loadPage(dependencies, target, brand);
    return typeof page === 'string' ? sendReason(page, brand) : serve(page);
  });
}

/** What the page shows for these statuses of the token. For every other status, it shows `closed`. */
const resultOf: Partial<Record<CodeResult['status'], HostedResult>> = {
  Valid: 'confirmed',
  Blocked: 'blocked',
  Expired: 'expired',
};

/** What the page tells the site that shows it in a frame. */
function eventOf(status: CodeResult['status']): FrameEvent {
  if (status === 'Valid') return { type: 'succeeded', status };
  return { type: status === 'Blocked' ? 'failed' : 'closed', status };
}

/** Sends the page with the final result: the token accepts no code any more. */
function sendEnd(
  dependencies: Needs<'builtPages' | 'config'>,
  response: Response,
  page: OpenedPage,
  status: CodeResult['status'],
  sent?: MessageResult,
): void {
  const { target, brand, site, token, denied } = page;
  const { transactionId } = target;
  const button = messageButtonOf(dependencies, page);
  const back = site.returnUrl && withResult(site.returnUrl, { transactionId, status });
  sendHostedPage(dependencies, response, {
    language: token.language,
    brand,
    content: {
      kind: 'result',
      result: (denied && status === 'Blocked' ? undefined : resultOf[status]) ?? 'closed',
      ...(button ? { button } : {}),
      ...(sent ? { sent } : {}),
    },
    back,
    frame: frameOf(site, transactionId),
    event: eventOf(status),
  });
}

/** Sends the page with the field for the code. `issue`: why the page shows the field again. */
function sendForm(
  dependencies: Needs<'builtPages' | 'config'>,
  response: Response,
  page: OpenedPage,
  { issue, event, sent }: { issue?: CodeIssue; event?: FrameEvent; sent?: MessageResult },
): void {
  const { target, brand, site, state, token } = page;
  const { transactionId } = target;
  const { language, settings } = token;
  const button = messageButtonOf(dependencies, page);
  sendHostedPage(dependencies, response, {
    language,
    brand,
    content: {
      kind: 'code',
      channel: settings.channel,
      destination: maskedDestinationOf(state, token),
      minutesLeft: minutesLeftOf(token, new Date().toISOString()),
      ...(settings.values ? { values: settings.values.shown[language] } : {}),
      ...(issue ? { issue } : {}),
      ...(button ? { button } : {}),
      ...(sent ? { sent } : {}),
    },
    frame: frameOf(site, transactionId),
    event,
  });
}

/** GET /code/{token}: the page with the field for the code, or with the reason why there is no field. This request changes nothing. */
export const showCodePage: RawHandler<CodePageNeeds> = (dependencies, request, response) =>
  serveCodePage(dependencies, request, response, async (page) => {
    if (page.closed === undefined) return sendForm(dependencies, response, page, { event: { type: 'ready' } });
    // The person may have used the token on this page and then loaded the page again. So `Used` shows the same result as `Valid`.
    sendEnd(dependencies, response, page, page.closed === 'Used' ? 'Valid' : page.closed);
  });

/** POST /code/{token}: checks the code that the person typed, like POST …/validate, or sends another message. */
export const submitCode: RawHandler<CodePageNeeds> = async (dependencies, request, response) => {
  const body = (await runBodyParser(parseForm, request, response)) as
    | Record<'action' | 'code' | 'press', unknown>
    | undefined;
  const typed = readTypedCode(typeof body?.code === 'string' ? body.code : '');
  await serveCodePage(dependencies, request, response, async (page) => {
    if (body?.action === 'resend') return sendAnother(dependencies, response, page, body.press);
    // If the token is `Used`, perhaps the person pressed the same button twice. This request is then checked as a repeat of the first
    // request.
    if (page.closed !== undefined && page.closed !== 'Used') return sendEnd(dependencies, response, page, page.closed);
    if (typed === undefined) return sendForm(dependencies, response, page, { issue: { issue: 'noCode' } });
    const result = await submitTypedCode(dependencies, page.target, page.token, typed);
    if (result === 'unavailable') return sendForm(dependencies, response, page, { issue: { issue: 'unavailable' } });
    const { status, attemptsRemaining = 0 } = result;
    if (status === 'Blocked' || status === 'Expired') return sendNewEnd(dependencies, response, page, status);
    if (status !== 'Invalid' && status !== 'Superseded') return sendEnd(dependencies, response, page, status);
    const issue = status === 'Invalid' ? 'invalid' : 'superseded';
    sendForm(dependencies, response, page, { issue: { issue, attemptsLeft: attemptsRemaining } });
  });
};

/**
 * Sends the page after an attempt that found no valid code. The state before the attempt does not tell whether the person may get a new
 * code.
 */
async function sendNewEnd(
  dependencies: Needs<CodePageNeeds>,
  response: Response,
  page: OpenedPage,
  status: CodeResult['status'],
): Promise<void> {
  const after = await loadPage(dependencies, page.target, page.brand);
  const current = typeof after === 'string' || after.token.id !== page.token.id ? page : after;
  sendEnd(dependencies, response, { ...current, closed: status }, status);
}

/** Sends another message, and then the page as it is after that. */
async function sendAnother(
  dependencies: Needs<CodePageNeeds>,
  response: Response,
  page: OpenedPage,
  press: unknown,
): Promise<void> {
  const { target, brand } = page;
  // Otherwise, a link whose code was already used could send new codes.
  const sent = canAskForMessage(page, page.closed)
    ? await sendAnotherMessage(dependencies, target, page, press)
    : undefined;
  const after = await loadPage(dependencies, target, brand);
  const current = typeof after === 'string' ? page : after;
  if (current.closed === undefined) return sendForm(dependencies, response, current, sent ? { sent } : {});
  sendEnd(dependencies, response, current, current.closed === 'Used' ? 'Valid' : current.closed, sent);
}

/**
 * Sends the digits of a typed code to the transaction. It uses the same command as POST …/validate, so the same limits apply. A second
 * press of the button with the same code repeats the request, and uses no second attempt. `unavailable`: it is not known whether the code
 * was checked.
 */
export async function submitTypedCode(
  { keys, transactions }: Needs<'keys' | 'transactions'>,
  { tenant, transactionId: id }: CodePageTarget,
  { id: confirmationId, settings: { name, values } }: Confirmation,
  code: string,
): Promise<CodeResult | 'unavailable'> {
  const digest = digestTypedCode(keys, id, name, code, values?.hash);
  try {
    return await transactions.send({ tenant, id }, checkConfirmationCode, {
      input: { name, digest, digits: code.length, ...(values ? { valuesHash: values.hash } : {}) },
      identity: [name, digest],
      idempotencyKey: keyedHash(keys, 'code-page', confirmationId, digest),
    });
  } catch (error) {
    if (error instanceof Problem) return 'unavailable';
    return toResultWithoutAttempt(error);
  }
}

/** The page on which the person types a code. */
export const codePageRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/code/{token}', showCodePage),
  undocumentedRoute('post', '/code/{token}', submitCode),
];
