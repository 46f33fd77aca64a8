import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failureConverterPath } from '../platform/temporal/data-converter';
import { bundleWorkflowCode } from '@temporalio/worker';

/**
 * Bundles the compiled workflow code into one file. Replaces the file in one step, so no worker reads a part of a bundle. Runs in `dist`,
 * as the last step of the build.
 */
export async function buildWorkflowBundle(outFile: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(__dirname, '..', 'workflows', 'index.js'),
    failureConverterPath,
    logger: {
      log: () => {},
      trace: () => {},
      debug: () => {},
      info: () => {},
      warn: console.warn,
      error: console.error,
    },
  });
  await mkdir(path.dirname(outFile), { recursive: true });
  await writeFile(`${outFile}.${process.pid}`, code);
  await rename(`${outFile}.${process.pid}`, outFile);
}

const outFolder = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The bundle of the workflow code from the build. If this file runs as TypeScript, the bundle is in `dist`. `npm test` and `npm run flow`
 * update it first.
 */
export const builtBundle = { codePath: path.join(outFolder, 'workflow-bundle.js') };
