import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { createOpenApiDocument } from './openapi-document.mjs';
import { root } from './command.mjs';

const folder = join(root, 'client', 'generated');
const notice = '// Generated from the OpenAPI document by dev/install/generate-client.mjs.\n';

/** Whether an operation of the OpenAPI document is for callers. Operations for operators are not part of the TypeScript client. */
function isForCallers({ security = [] }) {
  const scopes = security.flatMap(Object.values).flat();
  return scopes.length > 0 && !scopes.includes('operator:decode');
}

/**
 * What the body of a successful answer can be: `none`, `object`, `list`, or the content type of a text. The client rejects other answers,
 * because they are not from the API.
 */
function bodiesOf({ responses }, { components }) {
  const kindOf = ([type, { schema }]) => {
    if (type !== 'application/json') return type;
    const { type: jsonType } = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;
    return jsonType === 'array' ? 'list' : 'object';
  };
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const kinds = successes.flatMap(([, { content }]) => (content ? Object.entries(content).map(kindOf) : ['none']));
  return [...new Set(kinds)];
}

/**
 * For each operationId: the method, the path, the possible bodies of answers, and whether the client may repeat a failed request. A GET request may always be repeated.
 * Another request may be repeated only if the operation accepts the header Idempotency-Key.
 */
function routesOf(document) {
  const { paths } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return operations
    .filter(({ operation }) => isForCallers(operation))
    .map(({ path, method, operation }) => {
      const keepsKey = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
      const isRepeatable = method === 'get' || keepsKey;
      const bodies = bodiesOf(operation, document);
      return [operation.operationId, { method: method.toUpperCase(), path, bodies, isRepeatable }];
    });
}

/** Writes the types and the routes of the client to client/generated/. */
export async function generateClient() {
  const document = createOpenApiDocument();
  // With this option, a field with a default is optional in requests. In responses, the field stays required, because the document lists it
  // as required in the schemas of responses.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
  const schemas = Object.keys(document.components.schemas).map(
    (name) => `export type ${name} = components['schemas']['${name}'];\n`,
  );
  const routes = JSON.stringify(Object.fromEntries(routesOf(document)), undefined, 2);
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, name), `${notice}${text}`);
  write('openapi.ts', types);
  write('schemas.ts', `import type { components } from './openapi.ts';\n\n${schemas.join('')}`);
  write('routes.ts', `export const routes = ${routes} as const;\n`);
}
