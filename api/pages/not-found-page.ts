import type { ErrorRequestHandler, Request, Response } from 'express';
import { closestMatch } from '../../domain/text';
import type { Needs } from '../dependencies';
import { closestOperation } from '../http/closest-operation';
import { toProblem } from '../http/handle-errors';
import { languageHeaders, languageOfRequest } from '../http/language';
import { problems } from '../http/problems';
import type { Route } from '../http/route';
import { wantsPage } from '../http/health';
import { pageHeaders } from './app-page';

/** The pages that a user opens by their address. A page for a person has a token in its address, so nobody types it. */
const pages = ['brand', 'docs', 'flows', 'reviews'] as const;

/** The page whose address is closest to the beginning of a path, such as `/reviews` for `/review/x`. */
function closestPage(path: string): string | undefined {
  const name = closestMatch(path.split('/')[1] ?? '', pages);
  return name === undefined ? undefined : `/${name}`;
}

/**
 * Creates a middleware that answers not_found with a page if a browser opened the address. All other errors, and the answers for all other
 * clients, stay problems. `operations`: what an address can mean, except for the pages.
 */
export function showNotFoundPage(
  dependencies: Needs<'builtPages' | 'config'>,
  operations: readonly Route[],
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const isPage = !response.headersSent && toProblem(error).code === 'not_found' && wantsPage(request);
    if (!isPage) return next(error);
    sendNotFoundPage(dependencies, operations, request, response);
  };
}

function sendNotFoundPage(
  dependencies: Needs<'builtPages' | 'config'>,
  operations: readonly Route[],
  request: Request,
  response: Response,
): void {
  const { builtPages, config } = dependencies;
  const language = languageOfRequest({ dependencies, request });
  const page = closestPage(request.path);
  const operation = page === undefined ? closestOperation(operations, request.method, request.path) : undefined;
  response.locals['problem'] = 'not_found';
  response
    .status(problems.not_found.status)
    .set(pageHeaders({ language, sources: { 'script-src': "'none'", 'connect-src': "'none'" } }))
    .set(languageHeaders(language))
    .type('html')
    .send(
      builtPages.render('notFound', {
        ...{ language, brand: config.BRAND, logo: builtPages.logo, styles: builtPages.entryOf('not-found').styles },
        traceId: String(response.locals['traceId']),
        ...(page === undefined ? {} : { page }),
        ...(operation === undefined ? {} : { operation }),
      }),
    );
}
