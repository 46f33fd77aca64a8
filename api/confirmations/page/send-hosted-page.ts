import type { Response } from 'express';
import type { Dependencies } from '../../dependencies';
import type { ProblemCode } from '../../http/problems';
import { type PersonPage, sendPersonPage } from '../../pages/framed-page';
import type { HostedContent, HostedResult } from '../../pages/rendered-pages';

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
  dependencies: Pick<Dependencies, 'config' | 'builtPages'>,
  response: Response,
  { content, ...page }: HostedPageContent,
): void {
  const problem = content.kind === 'result' ? problemCodes[content.result] : undefined;
  sendPersonPage(dependencies, response, { name: 'hosted', props: { content } }, { ...page, problem });
}
