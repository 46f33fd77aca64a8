import type { Request, Response } from 'express';
import type { Biometrics } from '../../../domain/biometrics/biometrics';
import type { PageStep } from '../../../domain/biometrics/capture';
import type { Dependencies } from '../../dependencies';
import { takeBiometricsStep } from '../../../workflows/contract';
import { withProblem } from '../../temporal/with-problem';
import { Problem } from '../../http/problem';
import type { Serve } from '../../http/route';
import { closed, findLink, type HostedLink } from './opened-link';

/** A request of the page, with the link that it speaks of. */
export interface LinkCall {
  dependencies: Dependencies;
  opened: HostedLink;
  request: Request;
  response: Response;
}

/** Serves a path below a link as JSON that nobody keeps. Throws biometrics_not_found for a token that is none of ours. */
export function onLink(work: (call: LinkCall) => Promise<{ status: number; body: object }>): Serve {
  return async (dependencies, request, response) => {
    response.set('Cache-Control', 'no-store');
    const opened = await requireLink({ dependencies, request, response });
    const { status, body } = await work({ dependencies, opened, request, response });
    response.status(status).json(body);
  };
}

/** The link as its record has it now. Throws biometrics_not_found for a token that is none of ours. */
export async function requireLink({ dependencies, request, response }: Omit<LinkCall, 'opened'>): Promise<HostedLink> {
  const opened = await findLink(dependencies, request, response);
  if (!opened) throw new Problem('biometrics_not_found');
  return opened;
}

/**
 * Tells the transaction of a step on the page, and gives the link as it is then; told again, as it was then. Throws
 * cookie_missing.
 */
export async function takeStep(call: LinkCall, step: PageStep): Promise<Biometrics> {
  const { target, link, browser } = call.opened;
  // Whoever cannot show a secret later would own a link that nobody can go on with.
  if (browser === undefined && link.owner === undefined) throw new Problem('cookie_missing');
  if (browser === undefined) throw new Problem('link_taken');
  const input = { ...step, biometricsId: link.id, owner: browser };
  // Pages repeat themselves, and so could anybody else: a repeat is answered by Temporal, without an event.
  const request = { input, identity: ['step'], sameAs: [input] };
  try {
    return await withProblem(call.dependencies.transactions.send(target, takeBiometricsStep, request));
  } catch (error) {
    // The refusal of the transaction tells no more than the status.
    if (error instanceof Problem && error.code === 'link_closed') throw closed(await requireLink(call));
    throw error;
  }
}
