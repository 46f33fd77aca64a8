import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { requireTypescript } from './install/require-typescript.mjs';
import { root } from './install/root.mjs';
import { runProgram } from './install/run-program.mjs';

/** Lints the OpenAPI document, which is built from the route table without a server. */
const { openApiDocument } = requireTypescript(join(root, 'api', 'routes.ts'));

const folder = join(root, '.cache');
const file = join(folder, 'openapi.json');
mkdirSync(folder, { recursive: true });
const config = { PUBLIC_URL: 'http://127.0.0.1:3000', STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local' };
writeFileSync(file, JSON.stringify(openApiDocument({ config }), undefined, 2));

const linter = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
// Turns off usage reports and version checks.
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { code, output } = await runProgram(process.execPath, [linter, 'lint', file], { cwd: root, env });
if (code !== 0) process.stdout.write(`${output.trim()}\n`);
process.exitCode = code;
