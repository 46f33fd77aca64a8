import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The version of the Temporal SDK that this checkout uses; it decides which server is downloaded. */
export function sdkVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies['@temporalio/client'];
}
