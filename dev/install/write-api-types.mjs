import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { root } from './root.mjs';

const file = join(root, 'web', 'generated', 'openapi.d.ts');

function readFileIfExists() {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the types of the API, which web/ uses. An unchanged file keeps its time, so nothing is built again. */
export async function writeApiTypes(document) {
  const types = astToString(await openapiTypescript(document));
  if (types === readFileIfExists()) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, types);
}
