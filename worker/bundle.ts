import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failureConverterPath } from '../platform/temporal/data-converter';
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';

/** Bundles the workflow code, from TypeScript or from compiled JavaScript, like this file. */
export async function bundleWorkflows(): Promise<WorkflowBundle> {
  const extension = path.extname(__filename);
  return bundleWorkflowCode({
    workflowsPath: path.join(__dirname, '..', 'workflows', `index${extension}`),
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
}

/** Writes the bundle to a file atomically: a reader sees the old or the new bundle. */
export async function buildWorkflowBundle(outFile: string): Promise<void> {
  const { code } = await bundleWorkflows();
  await mkdir(path.dirname(outFile), { recursive: true });
  await writeFile(`${outFile}.${process.pid}`, code);
  await rename(`${outFile}.${process.pid}`, outFile);
}

const outFolder = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The bundle of the workflow code from the build. Code that runs from TypeScript uses the bundle in `dist`, which `npm test` updates
 * first.
 */
export const builtBundle = { codePath: path.join(outFolder, 'workflow-bundle.js') };
