import type { Response } from 'express';
import type { Dependencies } from '../../dependencies';
import type { ProblemCode } from '../../http/problems';
import { type PersonPage, sendPersonPage } from '../../pages/framed-page';
import type { HostedContent, HostedResult } from '../../pages/rendered-pages';

export interface HostedPageContent extends Omit<PersonPage, 'problem'> {
  content: HostedContent;
}

/** The problems behind the results that are not answers of the person. */
const problemCodes: Partial<Record<HostedResult, ProblemCode>> = {
  blocked: 'link_closed',
  expired: 'link_closed',
  closed: 'link_closed',
  unknown: 'not_found',
  unavailable: 'service_unavailable',
};

/** Sends a page of a confirmation: 200, or the status of the problem behind its result. */
export function sendHostedPage(
  dependencies: Pick<Dependencies, 'config' | 'builtPages'>,
  response: Response,
  { content, ...page }: HostedPageContent,
): void {
  const problem = content.kind === 'result' ? problemCodes[content.result] : undefined;
  sendPersonPage(dependencies, response, { name: 'hosted', props: { content } }, { ...page, problem });
}
