import express, { type Request, type Response } from 'express';
import type { Brand } from '../../domain/brand/brand';
import { type ConfirmationPage, toHostedPage } from '../../domain/confirmations/page';
import { type ConfirmationPageTarget, readHostedPageToken } from '../../messages/links';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { isForm, runBodyParser } from '../http/body/read-json';
import type { Needs } from '../dependencies';
import { languageOfRequest } from '../http/language';
import { Problem, withFallbackOnProblem } from '../http/problem';
import { type RawHandler, undocumentedRoute, type UndocumentedRoute } from '../http/route';
import { applyButton } from './apply-button';
import { type CallerSite, findCallerSite, withResult } from '../http/caller-site';
import type { HostedContent, HostedResult } from '../pages/rendered-pages';
import type { ProblemCode } from '../http/problems';
import { type PersonPage, sendPersonPage } from '../pages/framed-page';
import { readPageBrand } from '../pages/person-brand';

const parseForm = express.urlencoded({ type: isForm, extended: false, limit: 1_024, parameterLimit: 5 });

/** The names of the dependencies of the pages of a confirmation. */
export type PageNeeds = 'brands' | 'builtPages' | 'clientAddresses' | 'config' | 'keys' | 'transactions';

interface OpenedPage {
  target: ConfirmationPageTarget;
  brand: Brand | undefined;
  page: ConfirmationPage;
}

/** Finds the confirmation of a link. If this fails, sends a page with the reason and returns undefined. */
async function openPage(
  dependencies: Needs<'brands' | 'builtPages' | 'config' | 'keys' | 'transactions'>,
  request: Request,
  response: Response,
): Promise<OpenedPage | undefined> {
  const target = readHostedPageToken(dependencies.keys, String(request.params['token']));
  const brand = target && (await readPageBrand(dependencies, target.tenant));
  const result = target ? await asTenant(target.tenant, () => loadPage(dependencies, target)) : 'unknown';
  if (target && typeof result !== 'string') return { target, brand, page: result };
  const content = { kind: 'result' as const, result: typeof result === 'string' ? result : ('unknown' as const) };
  sendHostedPage(dependencies, response, { language: languageOfRequest({ dependencies, request }), brand, content });
  return undefined;
}

/**
 * Reads the confirmation of a link. `unknown`: there is no such confirmation, or its transaction was erased. `unavailable`: the
 * confirmation cannot be read now.
 */
async function loadPage(
  dependencies: Needs<'transactions'>,
  target: ConfirmationPageTarget,
): Promise<ConfirmationPage | 'unknown' | 'unavailable'> {
  const { tenant, transactionId: id, confirmationId } = target;
  try {
    const state = await dependencies.transactions.readState({ tenant, id });
    const page = toHostedPage(state, confirmationId, new Date().toISOString());
    return page ?? 'unknown';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'transaction_not_found' || error.code === 'erased' ? 'unknown' : 'unavailable';
  }
}

/** GET /confirm/{token}: shows the question. It must not change anything, because mail scanners open every link. */
export const showPage: RawHandler<PageNeeds> = async (dependencies, request, response) => {
  const openedPage = await openPage(dependencies, request, response);
  if (!openedPage) return;
  await asTenant(openedPage.target.tenant, () => showConfirmation(dependencies, response, openedPage));
};

/** POST /confirm/{token}: applies the button that the person pressed. */
export const submitAnswer: RawHandler<PageNeeds> = async (dependencies, request, response) => {
  const body = (await runBodyParser(parseForm, request, response)) as { action?: unknown } | undefined;
  const openedPage = await openPage(dependencies, request, response);
  if (!openedPage) return;
  const { page, target } = openedPage;
  await asTenant(target.tenant, async () => {
    const result = await applyButton(dependencies, page, target, body?.action);
    if (result) return showResult(dependencies, response, openedPage, result);
    return showConfirmation(dependencies, response, openedPage);
  });
};

/** What the page of a confirmation shows: the question while the person may answer it, and the result after that. */
function contentOf(confirmation: ConfirmationPage, { purpose }: ConfirmationPageTarget): HostedContent {
  const { status, prompt, replied } = confirmation;
  if (purpose === 'deny')
    return confirmation.denialTargetId === undefined ? { kind: 'result', result: 'denied' } : { kind: 'deny' };
  if (status === 'waiting' && prompt) {
    const { subject, body, replies } = prompt;
    const buttons = replies.map(({ option, label, meaning }) => ({
      value: String(option),
      label,
      isMain: meaning === 'yes',
    }));
    return { kind: 'prompt', ...(subject === undefined ? {} : { heading: subject }), text: body, replies: buttons };
  }
  if (status === 'waiting') return { kind: 'token' };
  if (status === 'superseded') return { kind: 'superseded' };
  return { kind: 'result', result: status, ...(replied === undefined ? {} : { reply: replied }) };
}

/** Sends the page of a confirmation. */
function showConfirmation(
  dependencies: Needs<'builtPages' | 'clientAddresses' | 'config'>,
  response: Response,
  opened: OpenedPage,
): Promise<void> {
  return sendContent(dependencies, response, opened, contentOf(opened.page, opened.target));
}

/**
 * Sends the page with the result of an answer. `reply`: the label of the chosen reply. If the result is `noted`, the page shows this label.
 */
function showResult(
  dependencies: Needs<'builtPages' | 'clientAddresses' | 'config'>,
  response: Response,
  opened: OpenedPage,
  { result, reply }: { result: HostedResult; reply?: string | undefined },
): Promise<void> {
  const content = { kind: 'result' as const, result, ...(reply === undefined ? {} : { reply }) };
  return sendContent(dependencies, response, opened, content);
}

/** Sends the page. If it shows a result, it can have a button back to the site of the caller. */
async function sendContent(
  dependencies: Needs<'builtPages' | 'clientAddresses' | 'config'>,
  response: Response,
  { page: confirmation, target, brand }: OpenedPage,
  content: HostedContent,
): Promise<void> {
  const back =
    content.kind === 'result' ? await findBack(dependencies, confirmation, target, content.result) : undefined;
  sendHostedPage(dependencies, response, { language: confirmation.language, brand, content, back });
}

/**
 * With these results, the page has no button back to the site of the caller. `denied`: the person did not come from this site.
 * `unavailable`: the person has not finished.
 */
const staysAfter: readonly HostedResult[] = ['denied', 'unavailable'];

/** The status that callers read for the confirmation after the answer. */
function statusAfter({ kind, callerStatus }: ConfirmationPage, result: HostedResult): string {
  if (result === 'noted') return 'Replied';
  if (result === 'confirmed') return kind === 'token' ? 'Valid' : 'Replied';
  return callerStatus;
}

/** The address of the button back to the site of the caller, with the result in its query. Undefined if the page has no such button. */
async function findBack(
  dependencies: Needs<'clientAddresses' | 'config'>,
  confirmation: ConfirmationPage,
  { transactionId, purpose }: ConfirmationPageTarget,
  result: HostedResult,
): Promise<string | undefined> {
  if (confirmation.requester === undefined || purpose === 'deny' || staysAfter.includes(result)) return undefined;
  // The answer is already saved. If the addresses cannot be read, the person still sees the result.
  const { returnUrl }: CallerSite = await withFallbackOnProblem(
    findCallerSite(dependencies, confirmation.requester),
    async () => ({ frameOrigins: [] }),
  );
  return returnUrl && withResult(returnUrl, { transactionId, status: statusAfter(confirmation, result) });
}

/** What `sendHostedPage` needs for a page of a confirmation. */
export interface HostedPageContent extends Omit<PersonPage, 'problem'> {
  content: HostedContent;
}

/** The problem for each result that is not an answer of the person. The response with the page has the HTTP status of this problem. */
const problemCodes: Partial<Record<HostedResult, ProblemCode>> = {
  blocked: 'link_closed',
  expired: 'link_closed',
  closed: 'link_closed',
  unknown: 'not_found',
  unavailable: 'service_unavailable',
};

/** Sends a page of a confirmation. The HTTP status is 200, or the status of the problem for the shown result. */
export function sendHostedPage(
  dependencies: Needs<'config' | 'builtPages'>,
  response: Response,
  { content, ...page }: HostedPageContent,
): void {
  // A page that offers a new code is not closed.
  const hasEnd = content.kind === 'result' && content.button === undefined;
  const problem = hasEnd ? problemCodes[content.result] : undefined;
  sendPersonPage(dependencies, response, { name: 'hosted', props: { content } }, { ...page, problem });
}

/** The hosted page of the links in messages. */
export const confirmationPageRoutes: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/confirm/{token}', showPage),
  undocumentedRoute('post', '/confirm/{token}', submitAnswer),
];
