import { join } from 'node:path';
import { requireTypescript } from './require-typescript.mjs';
import { root } from './root.mjs';

const config = { PUBLIC_URL: 'http://127.0.0.1:3000', STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local' };

/** The OpenAPI document of a local service, built from the route table without a server. */
export function createOpenApiDocument() {
  const { openApiDocument } = requireTypescript(join(root, 'api', 'routes.ts'));
  return openApiDocument({ config });
}
