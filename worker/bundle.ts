import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failureConverterPath } from '../platform/temporal/data-converter';
import { bundleWorkflowCode } from '@temporalio/worker';

const dist = path.extname(__filename) === '.ts' ? path.join(__dirname, '..', 'dist') : path.join(__dirname, '..');

/**
 * The modules that all workflows of a thread share, because they keep no state: the rules, and the lock. Otherwise, every open transaction
 * loads them again: 1,800 of them then take 630 instead of 410 MB. The SDK freezes the exports of shared modules.
 */
async function listSharedModules(): Promise<string[]> {
  const rules = await readdir(path.join(dist, 'domain'), { recursive: true });
  const ruleModules = rules.filter((file) => file.endsWith('.js')).map((file) => path.join(dist, 'domain', file));
  return [...ruleModules, 'async-mutex'];
}

/**
 * Bundles the compiled workflow code into one file. Replaces the file in one step, so no worker reads a part of a bundle. Runs in `dist`,
 * as the last step of the build.
 */
export async function buildWorkflowBundle(outFile: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(__dirname, '..', 'workflows', 'index.js'),
    failureConverterPath,
    workflowInterceptorModules: [path.join(__dirname, '..', 'workflows', 'trace-context.js')],
    preloadModules: await listSharedModules(),
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

/**
 * The bundle of the workflow code from the build. If this file runs as TypeScript, the bundle is in `dist`. `npm test` and `npm run flow`
 * update it first.
 */
export const builtBundle = { codePath: path.join(dist, 'workflow-bundle.js') };
