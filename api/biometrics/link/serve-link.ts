import type { Request, Response } from 'express';
import type { Biometrics } from '../../../domain/biometrics/biometrics';
import type { PageAction } from '../../../domain/biometrics/capture';
import type { Dependencies } from '../../dependencies';
import { takeBiometricsStep } from '../../../workflows/contract';
import { withProblem } from '../../temporal/with-problem';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { linkClosedProblem, findLink, type HostedLink } from './hosted-link';

/** A request of the hosted page, with its link. */
export interface LinkCall {
  dependencies: Dependencies;
  hostedLink: HostedLink;
  request: Request;
  response: Response;
}

/** Serves a path below a link as JSON without caching. Throws biometrics_not_found for an unknown token. */
export function serveLink(handle: (call: LinkCall) => Promise<{ status: number; body: object }>): RawHandler {
  return async (dependencies, request, response) => {
    response.set('Cache-Control', 'no-store');
    const opened = await requireLink({ dependencies, request, response });
    const { status, body } = await handle({ dependencies, hostedLink: opened, request, response });
    response.status(status).json(body);
  };
}

/** The link from the record. Throws biometrics_not_found for an unknown token. */
export async function requireLink({
  dependencies,
  request,
  response,
}: Omit<LinkCall, 'hostedLink'>): Promise<HostedLink> {
  const hostedLink = await findLink(dependencies, request, response);
  if (!hostedLink) throw new Problem('biometrics_not_found');
  return hostedLink;
}

/** Sends a step of the page to the transaction. Returns the link after it; a retry returns the same. Throws cookie_missing. */
export async function sendStep(call: LinkCall, step: PageAction): Promise<Biometrics> {
  const { target, link, browserDigest: browser } = call.hostedLink;
  // A browser without a cookie would own a link that nobody can continue.
  if (browser === undefined && link.owner === undefined) throw new Problem('cookie_missing');
  if (browser === undefined) throw new Problem('link_taken');
  const input = { ...step, biometricsId: link.id, owner: browser };
  // A repeated step adds no event to the history, so nobody can fill it.
  const request = { input, identity: ['step'], deduplicateBy: [input] };
  try {
    return await withProblem(call.dependencies.transactions.send(target, takeBiometricsStep, request));
  } catch (error) {
    // The domain error has only the status: read the reason from the record.
    if (error instanceof Problem && error.code === 'link_closed') throw linkClosedProblem(await requireLink(call));
    throw error;
  }
}
