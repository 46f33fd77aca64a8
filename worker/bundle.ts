import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, type WorkflowBundle } from '@temporalio/worker';

/** Bundles the workflow code once, from TypeScript or from its compiled form, whichever this file runs as. */
export async function bundleWorkflows(): Promise<WorkflowBundle> {
  const extension = path.extname(__filename);
  return bundleWorkflowCode({
    workflowsPath: path.join(__dirname, '..', 'workflows', `index${extension}`),
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

/** Writes the bundle to a file. Whoever reads the file while it is made sees the old or the new one, never half of it. */
export async function buildWorkflowBundle(outFile: string): Promise<void> {
  const { code } = await bundleWorkflows();
  await mkdir(path.dirname(outFile), { recursive: true });
  await writeFile(`${outFile}.${process.pid}`, code);
  await rename(`${outFile}.${process.pid}`, outFile);
}
