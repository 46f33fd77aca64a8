import { join } from 'node:path';
import { requireTypescript } from './require-typescript.mjs';
import { root } from './command.mjs';

/** The settings of a local stack. Other settings change only a few limits of request bodies in the document. */
const config = { PUBLIC_URL: 'http://127.0.0.1:3000', STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local' };

/** The OpenAPI document, created from the route table without a server. */
export const createOpenApiDocument = () =>
  requireTypescript(join(root, 'api', 'routes.ts')).openApiDocument({ config });

/** All problems with which the API can answer. */
export const readProblems = () => requireTypescript(join(root, 'api', 'http', 'problems.ts')).problems;
