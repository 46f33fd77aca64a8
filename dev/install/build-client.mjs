import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStep, dist, listFiles, runBuild } from './build-project.mjs';
import { root } from './command.mjs';
import { createOpenApiDocument } from './openapi-document.mjs';

/** The built package of the TypeScript client, for `npm pack dist/client` and `npm publish dist/client`. */
const packageFolder = join(dist, 'client');
const generated = join(root, 'client', 'generated');

/** A change in these folders or files needs a new build: the code of the client, and everything that defines the OpenAPI document. */
const inputs = [
  ...['client', 'api', 'domain', 'flows', 'messages', 'scoring', 'images', 'platform', 'store', 'workflows'],
  'dev/install/build-client.mjs',
];

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
 * For each operationId: the method, the path, the possible bodies of answers, and whether the client may repeat a failed request. A GET
 * request may always be repeated. Another request may be repeated only if the operation accepts the header Idempotency-Key.
 */
function routesOf(document) {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isForCallers(operation))
      .map(([method, operation]) => {
        const keepsKey = (operation.parameters ?? []).some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
        const isRepeatable = method === 'get' || keepsKey;
        const route = { method: method.toUpperCase(), path, bodies: bodiesOf(operation, document), isRepeatable };
        return [operation.operationId, route];
      }),
  );
  return Object.fromEntries(routes);
}

/** Writes the types and the routes of the client to client/generated/. */
async function generateClient() {
  // In a new clone, npm packages are not installed yet when this file is loaded.
  const { default: openapiTypescript, astToString } = await import('openapi-typescript');
  const document = createOpenApiDocument();
  // With this option, a field with a default is optional in requests. In responses, the field stays required, because the document lists it
  // as required in the schemas of responses.
  const types = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
  const schemas = Object.keys(document.components.schemas).map(
    (name) => `export type ${name} = components['schemas']['${name}'];\n`,
  );
  mkdirSync(generated, { recursive: true });
  const notice = '// Generated from the OpenAPI document by dev/install/build-client.mjs.\n';
  const write = (name, text) => writeFileSync(join(generated, name), `${notice}${text}`);
  write('openapi.ts', types);
  write('schemas.ts', `import type { components } from './openapi.ts';\n\n${schemas.join('')}`);
  write('routes.ts', `export const routes = ${JSON.stringify(routesOf(document), undefined, 2)} as const;\n`);
}

/** Compiles the client to one of the two module formats. Both have the same code. `type` tells Node and TypeScript the format. */
async function compile(folder, type, moduleFormat) {
  const outDir = join(packageFolder, folder);
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await runBuild(tsc, '-p', 'client', '--module', moduleFormat, '--outDir', outDir);
  writeFileSync(join(outDir, 'package.json'), JSON.stringify({ type }));
}

/** Updates `client/generated/` and `dist/client/` from the sources. Returns at once when they are current. */
export async function buildClient() {
  const sources = () => listFiles(inputs).filter((file) => !file.startsWith('client/generated/'));
  await buildStep('client', 'Building the client', sources, async () => {
    rmSync(packageFolder, { recursive: true, force: true });
    await generateClient();
    await Promise.all([compile('esm', 'module', 'esnext'), compile('cjs', 'commonjs', 'commonjs')]);
    for (const file of ['client/package.json', 'client/README.md', 'LICENSE'])
      copyFileSync(join(root, file), join(packageFolder, file.split('/').at(-1)));
  });
}
