import type { Request, Response } from 'express';
import type { Biometrics } from '../../../domain/biometrics/biometrics';
import type { PageAction } from '../../../domain/biometrics/capture';
import { asTenant } from '../../../platform/postgres/tenant-scope';
import type { Dependencies } from '../../dependencies';
import { type LinkAction, applyPageAction } from '../../../workflows/contract';
import type { CommandRequest } from '../../temporal/transactions';
import { throwAsProblem } from '../../temporal/throw-as-problem';
import { Problem } from '../../http/problem';
import type { RawHandler } from '../../http/route';
import { linkClosedProblem, findHostedLink, type HostedLink } from './hosted-link';

/** A request from the page of a biometrics link, together with the link. */
export interface LinkCall {
  dependencies: Dependencies;
  hostedLink: HostedLink;
  request: Request;
  response: Response;
}

/**
 * Creates a handler for a path below the URL of a link. The handler answers with JSON, and throws biometrics_not_found for an unknown
 * token.
 */
export function serveLink(handle: (call: LinkCall) => Promise<{ status: number; body: object }>): RawHandler {
  return async (dependencies, request, response) => {
    const hostedLink = await requireLink({ dependencies, request, response });
    const call = { dependencies, hostedLink, request, response };
    const { status, body } = await asTenant(hostedLink.target.tenant, () => handle(call));
    response.status(status).json(body);
  };
}

/** Reads the link from the record. Throws biometrics_not_found for an unknown token. */
export async function requireLink({
  dependencies,
  request,
  response,
}: Omit<LinkCall, 'hostedLink'>): Promise<HostedLink> {
  const hostedLink = await findHostedLink(dependencies, request, response);
  if (!hostedLink) throw new Problem('biometrics_not_found');
  return hostedLink;
}

/**
 * Sends an action of the person to the workflow of the transaction. Returns the link after this action. A repeat of the action changes
 * nothing, and returns the link as it was after the first time. Throws cookie_missing, link_taken and link_closed.
 */
export async function sendPageAction(call: LinkCall, action: PageAction): Promise<Biometrics> {
  const { target, link, browserDigest } = call.hostedLink;
  // A browser without a cookie must not become the owner, because then no browser could use the link.
  if (browserDigest === undefined && link.owner === undefined) throw new Problem('cookie_missing');
  if (browserDigest === undefined) throw new Problem('link_taken');
  const input = { ...action, biometricsId: link.id, owner: browserDigest };
  // The page sends no Idempotency-Key, so the id of the command is a hash of `deduplicateBy`. The same action has the same id, and
  // Temporal ignores the repeat. So a browser cannot make the history large.
  const request: CommandRequest<LinkAction> = { input, identity: ['action'], deduplicateBy: [input] };
  try {
    return await throwAsProblem(call.dependencies.transactions.send(target, applyPageAction, request));
  } catch (error) {
    // The domain error has only the status of the link. The record also has the reason.
    if (error instanceof Problem && error.code === 'link_closed') throw linkClosedProblem(await requireLink(call));
    throw error;
  }
}
