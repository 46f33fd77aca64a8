import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failureConverterPath } from '../platform/temporal/data-converter';
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';

/** Bundles the workflow code: the TypeScript files if this file runs as TypeScript, otherwise the compiled JavaScript files. */
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

/** Writes the bundle to a file atomically: a reader sees the old or the new bundle, never a part of one. */
export async function buildWorkflowBundle(outFile: string): Promise<void> {
  const { code } = await bundleWorkflows();
  await mkdir(path.dirname(outFile), { recursive: true });
  await writeFile(`${outFile}.${process.pid}`, code);
  await rename(`${outFile}.${process.pid}`, outFile);
}

const outFolder = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The bundle of the workflow code from the build. If this file runs as TypeScript, the bundle is in `dist`. `npm test` updates it before
 * the tests.
 */
export const builtBundle = { codePath: path.join(outFolder, 'workflow-bundle.js') };
