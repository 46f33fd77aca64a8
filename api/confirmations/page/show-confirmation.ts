import type { Response } from 'express';
import type { ConfirmationPage } from '../../../domain/confirmation/page';
import type { ConfirmationPageTarget } from '../../../messages/links';
import type { Dependencies } from '../../dependencies';
import { type CallerSite, findCallerSite, withResult } from '../../http/caller-site';
import { withFallbackOnProblem } from '../../http/with-fallback-on-problem';
import type { HostedContent, HostedResult } from '../../pages/rendered-pages';
import { sendHostedPage } from './send-hosted-page';

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
export function showConfirmation(
  dependencies: Dependencies,
  response: Response,
  confirmation: ConfirmationPage,
  target: ConfirmationPageTarget,
): Promise<void> {
  return sendContent(dependencies, response, confirmation, target, contentOf(confirmation, target));
}

/**
 * Sends the page with the result of an answer. `reply`: the label of the chosen reply. If the result is `noted`, the page shows this label.
 */
export function showResult(
  dependencies: Dependencies,
  response: Response,
  confirmation: ConfirmationPage,
  target: ConfirmationPageTarget,
  { result, reply }: { result: HostedResult; reply?: string | undefined },
): Promise<void> {
  const content = { kind: 'result' as const, result, ...(reply === undefined ? {} : { reply }) };
  return sendContent(dependencies, response, confirmation, target, content);
}

/** Sends the page. If it shows a result, it can have a button back to the site of the caller. */
async function sendContent(
  dependencies: Dependencies,
  response: Response,
  confirmation: ConfirmationPage,
  target: ConfirmationPageTarget,
  content: HostedContent,
): Promise<void> {
  const back =
    content.kind === 'result' ? await findBack(dependencies, confirmation, target, content.result) : undefined;
  sendHostedPage(dependencies, response, { language: confirmation.language, content, back });
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
  dependencies: Dependencies,
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
