import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { createOpenApiDocument } from './install/openapi-document.mjs';
import { root } from './install/command.mjs';
import { runProgram } from './install/run-program.mjs';

// Lints the OpenAPI document, and limits the size of the TypeScript types that are made from it. The document is built from the route
// table, without a server.

const folder = join(root, '.cache');
const file = join(folder, 'openapi.json');
mkdirSync(folder, { recursive: true });
const document = createOpenApiDocument();
writeFileSync(file, JSON.stringify(document, undefined, 2));

const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
// Turns off usage reports and version checks.
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { code, output } = await runProgram(process.execPath, [linter, 'lint', file], { cwd: root, env });
if (code !== 0) process.stdout.write(`${output.trim()}\n`);

/**
 * The highest accepted number of lines of types per operation, on average. About 55 lines belong to the operation and its path, and the
 * rest belongs to the schemas. The average grows if operations repeat a schema or a problem response instead of referring to a component.
 */
const linesMax = 80;
const types = astToString(await openapiTypescript(document));
const lines = types.split('\n').length;
const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
const average = Math.ceil(lines / operations);
process.stdout.write(
  `openapi-typescript: ${lines} lines for ${operations} operations, ${average} each (at most ${linesMax})\n`,
);
process.exitCode = code === 0 && average <= linesMax ? 0 : 1;
