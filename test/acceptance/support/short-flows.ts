import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './acceptance-stack';

/**
 * A script that is the API with shorter lives of some flows. The life of a confirmation travels with its request, so
 * nothing else of the product has to know, and nobody has to wait for half an hour.
 */
export function apiWithShortFlows(folder: string, lifeMsByFlow: Record<string, number>): string {
  const dist = (...parts: string[]) => JSON.stringify(join(root, 'dist', ...parts));
  const file = join(folder, 'api-with-short-flows.js');
  writeFileSync(
    file,
    `const { flows } = require(${dist('flows', 'index.js')});
for (const [name, lifeMs] of Object.entries(${JSON.stringify(lifeMsByFlow)}))
  flows.find((flow) => flow.name === name).expiresAfterMs = lifeMs;
require(${dist('api', 'main.js')});
`,
  );
  return file;
}
