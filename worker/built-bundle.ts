import path from 'node:path';

const outFolder = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The bundle of the workflow code from the build. Code that runs from TypeScript uses the bundle in `dist`, which `npm test` updates
 * first.
 */
export const builtBundle = { codePath: path.join(outFolder, 'workflow-bundle.js') };
