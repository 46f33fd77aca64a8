import path from 'node:path';

const outFolder = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The workflow code as the build has bundled it. What runs from TypeScript takes that of the build beside it,
 * which `npm test` brings up to date first.
 */
export const builtBundle = { codePath: path.join(outFolder, 'workflow-bundle.js') };
